# SPDX-License-Identifier: GPL-3.0-or-later
"""What earlier runs in this workspace found out: the noise, and the reference's times. Kept in .ako/ where there is one."""

import json
import os


class Facts:
    def __init__(self, workspace, manifest, device):
        folder = os.path.join(workspace, ".ako")
        self._path = os.path.join(folder, "kernelbench.json") if os.path.isdir(folder) else None
        self._key = "%s %s %s" % (manifest.hash_of("reference")[:32], manifest.hash_of("inputs")[:32], device)
        self._all = self._read()
        entry = self._all.get(self._key)
        entry = entry if isinstance(entry, dict) else {}
        noise = entry.get("noise")
        self.noise = noise if isinstance(noise, (int, float)) and noise >= 0 else None
        references = entry.get("reference_ms")
        self.reference_ms = references if isinstance(references, dict) else {}

    def _read(self):
        try:
            with open(self._path, encoding="utf-8") as file:
                value = json.load(file)
            return value if isinstance(value, dict) else {}
        except (OSError, TypeError, ValueError):
            return {}

    def take_references(self, result):
        for entry in result.timings:
            if "ref" in entry:
                self.reference_ms[entry["id"]] = entry["ref"]["median"]
            elif isinstance(self.reference_ms.get(entry["id"]), (int, float)):
                entry["ref_cached_ms"] = self.reference_ms[entry["id"]]

    def save(self):
        if self._path is None:
            return
        self._all[self._key] = {"noise": self.noise, "reference_ms": self.reference_ms}
        try:
            from akobench.report import write_atomically

            write_atomically(self._path, json.dumps(self._all, indent=1))
        except OSError:
            pass  # it only saves time

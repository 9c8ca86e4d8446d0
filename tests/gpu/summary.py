# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of check.sh from the results it left, as a table and as summary.json."""
import glob
import json
import statistics
import sys


def rows(folder, kind, size):
    found = []
    for path in sorted(glob.glob(f"{folder}/{kind}-{size}-*.json")):
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        if result["timing"]["workloads"] and "est" in result["decision"]:
            found.append(result)
    return found


def main():
    folder = sys.argv[1]
    summary = {"figures": []}
    print(f"{'':14}{'runs':>5}{'us':>9}{'largest |s-1|':>15}{'mean':>9}{'covers 1':>10}{'improved':>10}{'half width':>12}{'s':>6}")
    for kind in ("two", "one", "slower"):
        for size in ("5us", "15us", "40us", "1ms"):
            found = rows(folder, kind, size)
            if not found:
                continue
            decisions = [result["decision"] for result in found]
            off = [abs(decision["est"] - 1) for decision in decisions]
            figure = {
                "kind": kind,
                "size": size,
                "runs": len(found),
                "us": 1e3 * statistics.median(result["timing"]["workloads"][0]["sol_ms"] for result in found),
                "largest": max(off),
                "mean": statistics.mean(off),
                "covers": sum(decision["lo"] <= 1 <= decision["hi"] for decision in decisions),
                "improved": sum(decision["vs_best"] == "IMPROVED" for decision in decisions),
                "half_width": statistics.median((decision["hi"] - decision["lo"]) / 2 for decision in decisions),
                "seconds": statistics.median(result["duration_s"] for result in found),
            }
            summary["figures"].append(figure)
            summary["env"] = {key: found[0]["env"].get(key) for key in ("gpu", "driver", "cuda_runtime", "compiler_version", "sandbox")}
            print(f"{kind + ' ' + size:14}{figure['runs']:5}{figure['us']:9.2f}{100 * figure['largest']:14.3f}%{100 * figure['mean']:8.3f}%"
                  f"{figure['covers']:10}{figure['improved']:10}{100 * figure['half_width']:11.3f}%{figure['seconds']:6.1f}")
    with open(f"{folder}/summary.json", "w", encoding="utf-8") as file:
        json.dump(summary, file, indent=1)


main()

"""Ask `servcalc` and `ridgepoint` for rates; runs in an environment of its own that has only these two.

Reads a JSON list of jobs on standard input and writes a list of {"servcalc": rate, "ridgepoint": rate}.
"""

# pyright: basic, reportMissingImports=false

import json
import sys
import tempfile
from pathlib import Path


def main() -> None:
    """Answer every job."""
    print(json.dumps([{"servcalc": _servcalc(job), "ridgepoint": _ridgepoint(job)} for job in json.load(sys.stdin)]))


def _servcalc(job):
    from servcalc import Workload, estimate

    prompt, written = (1, job["tokens"]) if job["workload"] == "decode" else (job["tokens"], 2)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps(job["config"]), "utf-8")
        try:
            found = estimate(
                folder,
                job["servcalc"],
                profile="ollama",
                weight_bytes=job["weight_bytes"],
                workload=Workload(prompt_len=prompt, gen_len=written, concurrency=(1,)),
            )
        except KeyError:
            return None
    point = found.points[0]
    if job["workload"] == "decode":
        return point.seq_tok_s.mid
    # Its time to the first token holds the prompt and half a step of writing.
    return prompt / ((point.ttft_ms.mid - point.itl_ms.mid / 2) / 1000)


def _ridgepoint(job):
    import ridgepoint

    if job["ridgepoint"] is None:
        return None
    found = json.loads(
        ridgepoint.fit(
            job["model"],
            job["ridgepoint"],
            engine="llamacpp",
            dtype=job["format"],
            ctx=1024,
            prompt=job["tokens"],
            as_json=True,
        )
    )
    speed = found["speed"]
    return speed["decode_tok_s"]["best"] if job["workload"] == "decode" else job["tokens"] / speed["ttft_s"]["best"]


if __name__ == "__main__":
    main()

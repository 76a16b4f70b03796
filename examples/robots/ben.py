#!/usr/bin/env python3
"""A robot for croupier that calls a ben server (https://github.com/lorserker/ben) over HTTP.

    croupier bid boards.pbn --robot 'python3 examples/robots/ben.py http://localhost:8085' -o out.pbn

ben's server answers GET /bid with the parameters hand, seat, dealer, vul and ctx (the calls so far, two characters each:
`--` pass, `Db` double, `Rd` redouble, `1N`).
"""

import json
import sys
import urllib.parse
import urllib.request

TO_BEN = {"P": "--", "X": "Db", "XX": "Rd"}
FROM_BEN = {"PASS": "P", "--": "P", "X": "X", "DB": "X", "DBL": "X", "XX": "XX", "RD": "XX", "RDBL": "XX"}
VULNERABLE = {"none": "", "ns": "@v", "ew": "@V", "both": "@v@V"}


def parameters(question):
    """Returns the parameters of ben's interface for a question of croupier."""
    return {
        "hand": question["hand"].replace(".", "_"),
        "user": "croupier",
        "dealer": question["dealer"],
        "seat": question["seat"],
        "vul": VULNERABLE[question["vulnerable"]],
        "ctx": "".join(TO_BEN.get(call, call) for call in question["auction"]),
    }


def answer(reply):
    """Returns croupier's answer for a reply of ben."""
    bid = reply["bid"].upper()
    told = reply.get("explanation") or ""
    return {
        "call": FROM_BEN.get(bid, bid),
        "explanation": told,
        "alert": str(reply.get("alert", "")).lower() == "true",
    }


def ask(server, question):
    address = server.rstrip("/") + "/bid?" + urllib.parse.urlencode(parameters(question))
    with urllib.request.urlopen(address, timeout=60) as reply:
        return answer(json.load(reply))


def main():
    server = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8085"
    for line in sys.stdin:
        try:
            message = ask(server, json.loads(line))
        except (OSError, KeyError, ValueError) as error:
            message = {"error": f"{server}: {error!r}"}
        print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()

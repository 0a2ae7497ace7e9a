"""What Schemathesis cannot know: that a key names one call alone, and which things there are in the workspace.

Done as the request leaves, so that what it holds a request for, right or wrong, stays as it was made.
"""

import json
import os
import re
import uuid
import zlib
from urllib.parse import unquote

import requests

# Ids by the name of a member of a body, and by the word before them in a path.
MEMBERS = json.loads(os.environ["POSTROOM_MEMBERS"])
PATHS = json.loads(os.environ["POSTROOM_PATHS"])
KEY = "Idempotency-Key"
OURS = re.compile(r"[a-z]{3}_")
VALID_KEY = re.compile(r"[\x21-\x7e]{1,255}")
# These may be called without the key when nothing is changed, which no schema can express.
LETTERS = re.compile(r"/api/v1/campaigns/[^/]+/letters")
SOMETIMES = {("POST", "/api/v1/people/import"), ("POST", "/api/v1/calendar/meetings")}
MOVE = re.compile(r"/api/v1/calendar/meetings/[^/]+/move")


def likely(text):
    """Those written like an id, and three of four others that could be one; what is blank or too long stays wrong."""
    return text.strip() != "" and len(text) <= 64 and (OURS.match(text) is not None or zlib.crc32(text.encode("utf-8", "replace")) % 4 > 0)


def known(name, value):
    if isinstance(value, dict):
        return {key: known(key, inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [known(name, inner) for inner in value]
    return MEMBERS[name] if name in MEMBERS and isinstance(value, str) and likely(value) else value


def known_in_path(request):
    def instead(match):
        word, given = match.groups()
        if word not in PATHS or given in WORDS:
            return match.group(0)
        # The calls that follow need what would be deleted.
        if request.method == "DELETE":
            return f"/{word}/{given}x" if given in PATHS.values() else match.group(0)
        return f"/{word}/{PATHS[word]}" if likely(given) else match.group(0)

    # Only a cursor that a list gave is accepted; one that is too long is left too long.
    first = lambda match: match.group(1) + ("" if len(unquote(match.group(2))) <= 4000 else match.group(2))
    url = re.sub(r"([?&]cursor=)([^&]*)", first, request.url.removesuffix("?"))
    imported = lambda match: match.group(1) + (PATHS["imported"] if likely(match.group(2)) else match.group(2))
    url = re.sub(r"(/people/import/)([^/?]+)", imported, url)
    url = re.sub(r"/([a-z]+)/([^/?]+)", instead, url)
    # A letter belongs to one campaign.
    return url.replace(f"/{PATHS['campaigns']}/touches/", f"/{PATHS['touched']}/touches/")


# Words in a path where other paths have an id.
WORDS = {"bulk", "counts", "import", "proposals", "meetings", "messenger-folders", "read", "apply", "v1"}


def prepared(request):
    given = request.headers.get(KEY)
    given = given.decode("latin-1") if isinstance(given, bytes) else given
    path = request.path_url.split("?")[0]
    may = (request.method, path) in SOMETIMES or (request.method == "POST" and (LETTERS.fullmatch(path) or MOVE.fullmatch(path)))
    sometimes = given is None and may
    if sometimes or (given is not None and VALID_KEY.fullmatch(given)):
        request.headers[KEY] = str(uuid.uuid4())
    request.url = known_in_path(request)
    # It knows no ETag.
    request.headers.pop("If-Match", None)
    try:
        body = json.loads(request.body)
    except (TypeError, ValueError):
        return request
    if isinstance(body, dict) and request.headers.get("Content-Type") == "application/json":
        text = json.dumps(known("", body))
        if json.loads(text) != body:
            request.prepare_body(text, None)
    return request


send = requests.Session.send
requests.Session.send = lambda self, request, **options: send(self, prepared(request), **options)

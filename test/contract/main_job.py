"""The main job through the generated client: people from a file, a segment, a campaign from draft to done."""

import base64
import json
import os
import sys
import time
import uuid

sys.path.insert(0, os.environ["CLIENT_FOLDER"])

from postroom_client import AuthenticatedClient
from postroom_client.api.campaigns import (
    create_campaign,
    get_campaign,
    list_touches,
    prepare_letters,
    set_campaign_state,
)
from postroom_client.api.identity import get_identity
from postroom_client.api.people import import_people, list_people
from postroom_client.api.segments import create_segment, list_segment_people
from postroom_client.models import (
    CampaignStateChange,
    CampaignStateChangeTo,
    LetterPreparation,
    NewCampaign,
    NewSegment,
    PeopleFile,
    PeopleImport,
    Problem,
)

client = AuthenticatedClient(base_url=os.environ["API_URL"], token=os.environ["API_TOKEN"], timeout=60)
addresses = [f"p{i}-{uuid.uuid4().hex[:8]}@client.example" for i in range(int(os.environ["PEOPLE"]))]


def ask(call, *args, **kwargs):
    reply = call.sync_detailed(*args, client=client, **kwargs)
    assert reply.status_code == 200, (reply.status_code, reply.content)
    assert reply.parsed is not None
    return reply.parsed


def change(call, *args, **kwargs):
    """Sent twice under one key, as after a lost connection: the answers are the same bytes."""
    key = str(uuid.uuid4())
    replies = [call.sync_detailed(*args, client=client, idempotency_key=key, **kwargs) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [200, 200], [reply.content for reply in replies]
    assert replies[0].content == replies[1].content
    assert replies[1].headers["idempotent-replayed"] == "true"
    return replies[0].parsed


def eventually(ask_again, ready):
    for _ in range(300):
        value = ask_again()
        if ready(value):
            return value
        time.sleep(0.1)
    raise AssertionError(value)


assert "send" in ask(get_identity).scopes

content = base64.b64encode("\n".join(["email,name", *(f"{it},{it[:2]}" for it in addresses)]).encode()).decode()
file = PeopleFile(name="people.csv", content=content)
change(import_people, body=PeopleImport(file=file, commit=True))
known = eventually(lambda: ask(list_people, limit=200).people, lambda people: len(people) == len(addresses))

segment = change(create_segment, body=NewSegment(query="everyone", name="All"))
assert segment.members == len(known) and segment.remaining == 0
assert {it.id for it in ask(list_segment_people, segment.id, limit=200).people} == {it.id for it in known}

draft = change(
    create_campaign,
    body=NewCampaign(name="Autumn", goal="Book a demo", segment=segment.id, agent=os.environ["AGENT"]),
)
assert draft.state == "draft" and draft.campaign.people == len(known)
letters = change(prepare_letters, draft.id, body=LetterPreparation(write=[1], agree=[1]))
assert letters.letters[0].agreed


def move(to):
    return change(
        set_campaign_state,
        draft.id,
        body=CampaignStateChange(to=CampaignStateChangeTo(to)),
    )


def sent():
    return ask(get_campaign, draft.id).funnel.sent


move("running")
eventually(sent, lambda n: n >= 3)
paused = move("paused")
assert paused.state == "paused"
before = eventually(lambda: ask(get_campaign, draft.id).funnel, lambda funnel: funnel.sending == 0).sent
time.sleep(1)
assert sent() == before
move("running")
eventually(sent, lambda n: n == len(known))
done = move("done")
assert done.state == "done"
touches = ask(list_touches, draft.id, limit=200).touches

refused = set_campaign_state.sync_detailed(
    draft.id,
    client=client,
    idempotency_key=str(uuid.uuid4()),
    body=CampaignStateChange(to=CampaignStateChangeTo.RUNNING),
)
assert refused.status_code == 409 and isinstance(refused.parsed, Problem) and refused.parsed.code == "invalid_state"

print(json.dumps({"addresses": addresses, "sent": sum(it.state == "sent" for it in touches)}))

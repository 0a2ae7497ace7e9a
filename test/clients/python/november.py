"""A job of a customer, as they would write it: it imports people, starts a campaign and writes to a hundred of them by hand.

It is killed again and again, and knows of nothing but the names of its steps.
"""

import base64
import os

from postroom import FileKeys, Postroom

env = os.environ
postroom = Postroom(url=env["URL"], token=env["TOKEN"], keys=FileKeys(env["KEYS"]))

rows = [f"{i},Person {i},p{i}@november.example" for i in range(int(env["PEOPLE"]))]
content = base64.b64encode("\n".join(["externalId,name,email", *rows]).encode()).decode()
postroom.import_people(file={"name": "november.csv", "content": content}, commit=True, step="import")
postroom.wait(step="import")

segment = postroom.create_segment(query="everyone", name="November", step="segment")
batch = 2
while segment["remaining"] > 0:
    segment = postroom.create_segment(query="everyone", name="November", segment=segment["id"], step=f"segment, batch {batch}")
    batch += 1

campaign = postroom.create_campaign(
    name="November", goal="Book a demo", segment=segment["id"], agent=env["AGENT"], places=1, step="campaign"
)["id"]
postroom.prepare_letters(campaign, write=[1], agree=[1], step="letters")
postroom.set_campaign_state(campaign, to="running", step="start")

for i in range(int(env["MESSAGES"])):
    postroom.open_conversation(
        person=f"ext:{i}", via=env["VIA"], subject=f"Offer {i}", text="Here is your offer.", step=f"offer to ext:{i}"
    )
print(campaign)

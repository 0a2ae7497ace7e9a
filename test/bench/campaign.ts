import { givenCampaign } from '../support/given-campaign.ts'
import { openDispatchFloor, sendByFloor } from './dispatch.ts'
import type { Place, Size } from './place.ts'
import { compare, type Round } from './rounds.ts'

// Letters of campaigns whose accounts wait for nothing between two letters, beside the floor of dispatch: one campaign on one
// account, and four campaigns of four workspaces.

export async function campaign(place: Place, { quick }: Size) {
  const [letters, rounds] = quick ? [40, 1] : [200, 3]
  const floor = await openDispatchFloor(place)
  for (const campaigns of [1, 4])
    await compare(
      `letters of ${campaigns === 1 ? 'one campaign' : `${campaigns} campaigns`}, no gap`,
      {
        ours: () => send(place, campaigns, letters / campaigns),
        floor: () => sendByFloor(place, floor, letters),
      },
      { rounds, warm: !quick },
    )
  floor.client.close()
}

/** From the start of the campaigns until their last letter has arrived. */
async function send(place: Place, campaigns: number, people: number): Promise<Round> {
  const all: Awaited<ReturnType<typeof givenCampaign>>[] = []
  while (all.length < campaigns)
    all.push(
      await givenCampaign(place, place.mail, {
        people,
        places: [1],
        hours: { from: '00:00', to: '24:00', daysOff: [] },
        workspace: { smtpPort: place.mail.smtpPort },
      }),
    )
  const before = place.mail.messages().length
  const from = performance.now()
  for (const one of all) await one.move('running')
  await place.arrived(before + campaigns * people)
  const round = { perSecond: ((campaigns * people) / (performance.now() - from)) * 1000 }
  for (const one of all) await one.move('done')
  return round
}

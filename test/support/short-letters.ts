// The workflows of a large run: the real runner, and a stand-in for the letters' own.

export { runCampaign } from '../../workflows/run-campaign.ts'

/** The real one costs as much for the last person as for the first, and takes more time than the runner itself. */
export async function deliverTouch(): Promise<void> {}

import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { Worker } from '@temporalio/worker'
import { bundle } from '../support/service.ts'
import type { Facts } from './facts.ts'
import type { Stack } from './stack.ts'

type History = Parameters<typeof historyToJSON>[0]

/** What is wrong with the histories of a run: each must replay, and none may hold anything private. */
export async function checkHistories(
  { client }: Stack,
  { workflows }: Pick<Facts, 'workflows'>,
  secret: string,
) {
  const histories: { workflowId: string; history: History }[] = []
  for (const { id, run } of workflows)
    histories.push({
      workflowId: id,
      history: await client.workflow.getHandle(id, run).fetchHistory(),
    })

  const telling = histories
    .filter(({ history }) => tells(historyToJSON(history), secret))
    .map(({ workflowId }) => workflowId)

  const broken: string[] = []
  const results = Worker.runReplayHistories(
    { workflowBundle: await bundle() },
    (async function* () {
      yield* histories
    })(),
  )
  for await (const { workflowId, error } of results)
    if (error) broken.push(`${workflowId}: ${error.message}`)
  return { telling, broken, count: histories.length }
}

/** Whether a history holds a word, plainly or in a payload, which is base64 in its JSON. */
function tells(json: string, word: string) {
  const decoded = [...json.matchAll(/"data":\s*"([^"]+)"/g)].map(([, data]) =>
    Buffer.from(data as string, 'base64').toString(),
  )
  return [json, ...decoded].some((text) => text.toLowerCase().includes(word))
}

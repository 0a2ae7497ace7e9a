import { TestWorkflowEnvironment } from '@temporalio/testing'

// The SDK downloads a dev server only in order to run it: run it once, for its file in the folder.
// A process of its own, because that download cannot be called off.

const server = {
  executable: { type: 'cached-download', downloadDir: process.argv[2] as string },
} as const
const environment = await TestWorkflowEnvironment.createLocal({ server })
await environment.teardown()
process.exit(0)

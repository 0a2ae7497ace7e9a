import { TestWorkflowEnvironment } from '@temporalio/testing'

// The SDK downloads a dev server only in order to run it, so this runs it once to get the file into the folder. It is
// a process of its own, because that download cannot be cancelled.

const server = {
  executable: { type: 'cached-download', downloadDir: process.argv[2] as string },
} as const
const environment = await TestWorkflowEnvironment.createLocal({ server })
await environment.teardown()
process.exit(0)

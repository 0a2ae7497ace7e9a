// The scripts of the reference page. They run in browsers as they are, so they are plain JavaScript.

import { findable, marksPlace } from './docs-nav.js'
import { samples } from './docs-samples.js'
import { tokenForm } from './docs-token.js'
import { tryable } from './docs-try.js'

tokenForm()
samples()
tryable()
findable()
marksPlace()

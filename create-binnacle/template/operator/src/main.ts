import { connect } from 'binnacle/client'
import { runUntilSignal } from 'binnacle/operator'
import { operator } from './operator.js'

await runUntilSignal(operator, { client: await connect() })

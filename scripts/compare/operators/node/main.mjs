import { connect } from 'binnacle/client'
import { runUntilSignal } from 'binnacle/operator'
import { operator } from './operator.mjs'

await runUntilSignal(operator, { client: await connect(), metrics: undefined, health: undefined })

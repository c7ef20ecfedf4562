// A program with a server in its process, which package.mjs has each bundler bundle.
import { createServer } from 'binnacle'
import { part } from './bundled-part.mjs'

const server = createServer({ storageBackend: 'memory', listen: false })
await server.start()
const maps = server.client().of('v1', 'ConfigMap')
await maps.create({ metadata: { name: 'settings' }, data: { colour: 'blue' } })
console.log(part, (await maps.get('settings')).data.colour)
await server.stop()

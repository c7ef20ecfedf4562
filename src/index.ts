export { type BinnacleServer, createServer } from './server/server.js'
export type { ServerOptions } from './options.js'

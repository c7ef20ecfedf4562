export type { ServerOptions } from './options.js'
export { type BinnacleServer, createServer } from './server/server.js'

// Compiles at each change, and starts the server and the operator anew.
import { spawn } from 'node:child_process'

const tsc = spawn('npx', ['tsc', '--watch', '--preserveWatchOutput'], { stdio: 'inherit' })
const dev = spawn(process.execPath, ['--watch', '--enable-source-maps', 'dist/dev.js'], { stdio: 'inherit' })
process.on('exit', () => {
  tsc.kill()
  dev.kill()
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))

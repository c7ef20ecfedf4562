/** Resolves with the URL that a starting server prints; rejects when it ends without one. `server` is a process whose output is a pipe. */
export const urlOf = server =>
  new Promise((resolve, reject) => {
    let text = ''
    server.stdout.on('data', data => {
      const found = /https:\/\/\S+/.exec((text += data))
      if (found) resolve(found[0])
    })
    server.once('exit', (code, signal) => reject(new Error(`the server ended with ${code ?? signal} before it listened`)))
    server.once('error', reject)
  })

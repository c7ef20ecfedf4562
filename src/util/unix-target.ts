/** Returns gRPC's name of a Unix socket; `@name` stands for an abstract one, as in Go. */
export const unixTarget = (socket: string): string => `unix:${socket.startsWith('@') ? `\0${socket.slice(1)}` : socket}`

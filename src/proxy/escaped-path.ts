/**
 * Escapes the decoded path of a request as Go writes a path in a URL. The other server gets the path that was authorized, so `%` is
 * escaped, too.
 */
export function escapedPath(path: string): string {
  return path.replace(/[^\w\-.~$&+,/:;=@]+/g, text => encodeURIComponent(text))
}

/** Escapes a path as Go writes it in a URL: what has been unescaped for the request's information is escaped anew. */
export function escapedPath(path: string): string {
  if (/^[\w\-.~$&+,/:;=@]*$/.test(path)) return path
  // a path that is no UTF-8 has kept its escapes
  return path.replace(/[^\w\-.~$&+,/:;=@%]+|%(?![\da-fA-F]{2})/g, text => encodeURIComponent(text.toWellFormed()))
}

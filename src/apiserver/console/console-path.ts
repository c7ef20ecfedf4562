/** Where the console is. */
export const consoleRoot = '/console'
export const consolePath = `${consoleRoot}/`
export const sessionPath = `${consolePath}session`
export const configPath = `${consolePath}config.json`

/** Whether a path, as sent, belongs to the console. */
export const isConsolePath = (path: string): boolean => path === consoleRoot || path.startsWith(consolePath)

/** Tells whoever runs a test why its server failed, because envtest only says that it did. */
import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from 'node:fs'

/**
 * Writes a text where the output of the test goes. envtest discards the output of its programs unless
 * KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT says otherwise. So the text goes to the stderr of the test process on systems that show it
 * (/proc), else to the terminal if there is one.
 */
export function tellTest(text: string, parent: number, paths = [`/proc/${parent}/fd/2`, terminal]): void {
  process.stderr.write(text)
  if (!isDiscarded()) return
  for (const path of paths) {
    try {
      // otherwise a pipe that nobody reads would block, and a file would lose what is in it
      const file = openSync(
        path,
        constants.O_WRONLY | constants.O_APPEND | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)
      )
      try {
        writeSync(file, text)
        return
      } finally {
        closeSync(file)
      }
    } catch {
      // the next place may accept it
    }
  }
}

const terminal = process.platform === 'win32' ? '\\\\.\\CONOUT$' : '/dev/tty'

/** Whether stderr is the null device. */
function isDiscarded(): boolean {
  try {
    const stderr = fstatSync(2)
    if (!stderr.isCharacterDevice()) return false
    return process.platform === 'win32' ? !process.stderr.isTTY : stderr.rdev === statSync('/dev/null').rdev
  } catch {
    return true
  }
}

/** SETTINGS of HTTP/2 (RFC 9113, section 6.5). */
import { ConnectionError, errorCode } from './errors.js'
import { defaultFrameBytes, frame, frameType } from './frames.js'

export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6
} as const

/** Bytes of DATA that a window admits at its beginning, and at most (RFC 9113, section 6.9). */
export const defaultWindow = 65535
export const greatestWindow = 2 ** 31 - 1

/** Bytes of one setting: its name and its value. */
const settingBytes = 6

export const settingsFrame = (settings: readonly (readonly [name: number, value: number])[]): Buffer =>
  frame(frameType.settings, 0, 0, settings.length * settingBytes, (into, at) => {
    for (const [i, [name, value]] of settings.entries())
      into.writeUInt32BE(value, into.writeUInt16BE(name, at + i * settingBytes))
  })

/** The settings by their name: the last one of a name counts. Throws ConnectionError for a value that its setting cannot have. */
export function readSettings(payload: Buffer): Map<number, number> {
  if (payload.length % settingBytes !== 0) throw new ConnectionError(errorCode.frameSize, 'SETTINGS of a wrong size')
  const settings = new Map<number, number>()
  for (let at = 0; at < payload.length; at += settingBytes) {
    const name = payload.readUInt16BE(at)
    const value = payload.readUInt32BE(at + 2)
    check(name, value)
    settings.set(name, value)
  }
  return settings
}

function check(name: number, value: number): void {
  if (name === setting.enablePush && value > 1) throw new ConnectionError(errorCode.protocol, `SETTINGS_ENABLE_PUSH=${value}`)
  if (name === setting.maxFrameSize && (value < defaultFrameBytes || value >= 2 ** 24))
    throw new ConnectionError(errorCode.protocol, `SETTINGS_MAX_FRAME_SIZE=${value}`)
  if (name === setting.initialWindowSize && value > greatestWindow)
    throw new ConnectionError(errorCode.flowControl, `SETTINGS_INITIAL_WINDOW_SIZE=${value}`)
}

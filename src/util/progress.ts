/** Told how much of some work is done: bytes, keys. It may be told more often than anybody wants to know. */
export type Progress = (done: number, of: number) => void

export const noProgress: Progress = () => {}

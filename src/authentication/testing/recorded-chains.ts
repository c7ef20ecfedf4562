export const recordedChains = 400

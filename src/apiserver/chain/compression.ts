import { compressed } from '../../apimachinery/formats/compress.js'
import type { Stage } from '../../apimachinery/request/stage.js'

export const compressionStage: Stage = {
  name: 'compression',
  why: 'compresses large answers for clients that can read that',
  handle(context, next) {
    const response = next(context)
    return response instanceof Promise ? response.then(late => compressed(context, late)) : compressed(context, response)
  }
}

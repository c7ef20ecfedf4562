import type { JsonObject } from '../../util/json.js'
import type { Schema } from '../openapi/own-document.js'

export const expressionFields: Readonly<Record<string, Schema>> = {
  definition: { type: 'object', description: 'A CustomResourceDefinition.', additionalProperties: true }
}
export async function explainExpressions(_body: JsonObject): Promise<object> {
  return {}
}

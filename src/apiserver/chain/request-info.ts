import { parseRequestInfo } from '../../apimachinery/request/request-info.js'
import type { Stage } from '../../apimachinery/request/stage.js'

export const requestInfoStage: Stage = {
  name: 'request info',
  why: 'reads verb, resource, namespace and name from method and path',
  handle(context, next) {
    context.info = parseRequestInfo(context.request.method, context.path, context.query)
    return next(context)
  }
}

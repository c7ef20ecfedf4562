/** Validates an old annotation of nodes: Pods that the scheduler should place elsewhere, as JSON. */
import { jsonSyntaxError } from '../../../apimachinery/formats/json-syntax.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { own } from '../../../util/json.js'

const annotation = 'scheduler.alpha.kubernetes.io/preferAvoidPods'
const path = Path.of('metadata', 'annotations')

export function validateAvoidedPods(annotations: Record<string, string> | undefined, errors: FieldErrors): void {
  const text = own(annotations, annotation)
  if (!text) return
  const wrong = jsonSyntaxError(text)
  if (wrong) return errors.invalid(path.child('AvoidPods'), annotation, wrong)
  const { preferAvoidPods } = Object(JSON.parse(text))
  if (!Array.isArray(preferAvoidPods)) return
  for (const [i, entry] of preferAvoidPods.entries()) {
    const controller = entry?.podSignature?.podController
    const at = path.child(annotation).index(i).child('PodSignature')
    if (!controller) errors.required(at)
    else if (controller.controller === false)
      errors.invalid(at.child('PodController', 'Controller'), false, 'must point to a controller')
  }
}

/** What no declared rule says about the templates of a Workload: they are a tree. */
import type {
  CompositePodGroupTemplate,
  PodGroupTemplate,
  WorkloadSpec
} from '../../apimachinery/api/generated/scheduling-v1beta1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalListText } from '../../apimachinery/validation/internal-text.js'

/** Of a tree with its leaves, the PodGroupTemplates. */
const maxDepth = 4
const path = Path.of('spec')
const composites = 'compositePodGroupTemplates'
const groups = 'podGroupTemplates'

interface Templates {
  readonly podGroupTemplates?: readonly PodGroupTemplate[] | null | undefined
  readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplate[] | null | undefined
}

export function validateTemplates(spec: WorkloadSpec, errors: FieldErrors): void {
  const top = spec.compositePodGroupTemplates ?? []
  validateNames(top, path, new Set(spec.podGroupTemplates?.map(({ name }) => name)), errors)
  top.forEach((template, i) => {
    if (depthOf(template) < maxDepth) return
    const shown = internalListText('scheduling.v1beta1.CompositePodGroupTemplate', template.compositePodGroupTemplates ?? [])
    errors.invalid(path.child(composites).index(i), shown, `maximum template hierarchy depth is ${maxDepth}`)
  })
  validatePriorities(spec, errors)
  validateChildren(spec, path, errors)
}

/** A template's name is unique in the tree, but for those beside it, which a declared rule compares. */
function validateNames(templates: readonly CompositePodGroupTemplate[], at: Path, names: Set<string>, errors: FieldErrors): void {
  addNames(templates, at.child(composites), names, errors)
  templates.forEach((template, i) => {
    const below = at.child(composites).index(i)
    addNames(template.podGroupTemplates ?? [], below.child(groups), names, errors)
    validateNames(template.compositePodGroupTemplates ?? [], below, names, errors)
  })
}

function addNames(templates: readonly { readonly name: string }[], at: Path, names: Set<string>, errors: FieldErrors): void {
  templates.forEach(({ name }, i) => {
    if (names.has(name)) errors.duplicate(at.index(i).child('name'), name)
  })
  for (const { name } of templates) names.add(name)
}

/** Returns the depth of a tree without its leaves, which needs not be known beyond the limit. */
function depthOf(template: CompositePodGroupTemplate, above = 0): number {
  const depth = above + 1
  if (depth === maxDepth) return depth
  return Math.max(depth, ...(template.compositePodGroupTemplates ?? []).map(child => depthOf(child, depth)))
}

/** All templates have one priority. */
function validatePriorities({ podGroupTemplates, compositePodGroupTemplates }: Templates, errors: FieldErrors): void {
  const own = (podGroupTemplates ?? []).map(priorityOf)
  const all = new Set(own)
  if (all.size > 1) {
    errors.invalid(path, null, 'detected multiple priority configurations')
    return
  }
  for (const template of compositePodGroupTemplates ?? []) addPriorities(template, all)
  if (all.size > 1)
    errors.invalid(path, null, 'all priority and priorityClassName values must be identical, detected multiple values')
}

const priorityOf = ({ priorityClassName, priority }: PodGroupTemplate | CompositePodGroupTemplate): string =>
  JSON.stringify([priorityClassName ?? '', priority ?? null])

function addPriorities(template: CompositePodGroupTemplate, all: Set<string>): void {
  all.add(priorityOf(template))
  for (const child of template.compositePodGroupTemplates ?? []) addPriorities(child, all)
  for (const child of template.podGroupTemplates ?? []) all.add(priorityOf(child))
}

function validateChildren({ compositePodGroupTemplates }: Templates, at: Path, errors: FieldErrors): void {
  compositePodGroupTemplates?.forEach((template, i) => {
    const here = at.child(composites).index(i)
    if (!template.podGroupTemplates?.length && !template.compositePodGroupTemplates?.length)
      errors.invalid(here, template.name, 'must have at least one child PodGroupTemplate or CompositePodGroupTemplate')
    validateChildren(template, here, errors)
  })
}

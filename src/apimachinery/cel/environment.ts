/** The variables, functions and types that an expression can refer to. */
import { withoutDot } from './ast.js'
import type { FunctionDeclaration, Library, Overload } from './declarations.js'
import { type Type, typeType } from './types.js'

export class Environment {
  readonly #parent: Environment | undefined
  readonly #functions = new Map<string, FunctionDeclaration>()
  readonly #types = new Map<string, Type>()
  readonly #variables = new Map<string, Type>()
  #resolveType: ((name: string) => Type | undefined) | undefined
  /** Functions of later releases do not exist: 36 is Kubernetes 1.36. */
  #release = Number.POSITIVE_INFINITY

  /** Whether expressions can bind values with `cel.bind(name, value, result)`. */
  readonly bindings: boolean

  private constructor(parent?: Environment, bindings = parent?.bindings ?? false) {
    this.#parent = parent
    this.bindings = bindings
  }

  /** Combines libraries. Their overload ids must be distinct. */
  static of(libraries: readonly Library[]): Environment {
    return new Environment().#declare(libraries)
  }

  #declare(libraries: readonly Library[]): this {
    const overloads = new Map<string, Overload[]>()
    const since = new Map<string, number>()
    for (const library of libraries) {
      for (const [name, added] of Object.entries(library.functions)) {
        overloads.set(name, [...(overloads.get(name) ?? []), ...added])
        if (library.since !== undefined) since.set(name, library.since)
      }
      for (const type of library.types ?? []) this.#types.set(type.name, type)
    }
    for (const [name, list] of overloads) this.#functions.set(name, { name, overloads: list, since: since.get(name) ?? 0 })
    return this
  }

  /** Adds functions whose names have no overloads yet, and types that are created when an expression names them. */
  withLibrary(library: Library, resolveType?: (name: string) => Type | undefined): Environment {
    const extended = new Environment(this).#declare([library])
    extended.#resolveType = resolveType
    return extended
  }

  /** Adds variables, and object types that expressions can construct: `Type{field: value}`. */
  extend(variables: ReadonlyMap<string, Type>, types: readonly Type[] = []): Environment {
    const extended = new Environment(this)
    for (const type of types) extended.#types.set(type.name, type)
    for (const [name, type] of variables) extended.#variables.set(name, type)
    return extended
  }

  withBindings(): Environment {
    return new Environment(this, true)
  }

  /** Returns what of this environment a release has, told by its minor version. */
  asOf(release: number): Environment {
    const older = new Environment(this)
    older.#release = release
    return older
  }

  function(name: string): FunctionDeclaration | undefined {
    const found = this.#functions.get(absolute(name)) ?? this.#parent?.function(name)
    return found && found.since <= this.#release ? found : undefined
  }

  variable(name: string): Type | undefined {
    return this.#variables.get(absolute(name)) ?? this.#parent?.variable(name)
  }

  /** Returns the type that a name denotes as a value: `type(x) == int`. */
  namedType(name: string): Type | undefined {
    return this.#types.get(absolute(name)) ?? this.#resolveType?.(absolute(name)) ?? this.#parent?.namedType(name)
  }

  /** Returns the type of an identifier: that of a variable, or that of a type's name. */
  identifier(name: string): Type | undefined {
    const type = this.namedType(name)
    return this.variable(name) ?? (type && typeType(type))
  }
}

const absolute = withoutDot

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseTemplate, shown, TemplateFailed, UnknownTemplate } from './template.js'
import { knownFunctions, pureFunctions } from './template-functions.js'

const filled = (text: string, data: unknown = {}) => parseTemplate(text, knownFunctions)(data, pureFunctions)
const pod = {
  metadata: { name: 'web', labels: { b: '2', a: '1' } },
  spec: {
    containers: [
      { name: 'x', image: 'i' },
      { name: 'y', image: 'j' }
    ],
    hostNetwork: false
  }
}

describe('templates of Stages', () => {
  test('have fields, variables, pipelines and functions', () => {
    assert.equal(filled('a {{ .metadata.name }} b', pod), 'a web b')
    assert.equal(filled('{{ $n := .metadata.name }}{{ $n | Quote }} {{ printf "%s-%d" $n 3 | upper }}', pod), '"web" WEB-3')
    assert.equal(
      filled('{{ (index .spec.containers 1).image }} {{ len .spec.containers }} {{ $.metadata.name }}', pod),
      'j 2 web'
    )
    assert.equal(
      filled('{{ or .spec.hostNetwork "none" }} {{ and 1 0 }} {{ not true }} {{ `a"b` }} {{ or $.x `""` }}', pod),
      'none 0 false a"b ""'
    )
    assert.equal(
      filled('{{ .metadata.labels }} {{ .spec.containers }} {{ .nothing.at.all }}', pod),
      'map[a:1 b:2] [map[image:i name:x] map[image:j name:y]] <no value>'
    )
    assert.equal(
      filled('{{ eq .metadata.name "a" "web" }} {{ eq .none "Always" }} {{ default 3 .none }} {{ add 1 2 }}', pod),
      'true false 3 3'
    )
    assert.equal(filled('{{ index (or .metadata.annotations dict) "a/b" }}', pod), '<no value>')
    assert.equal(shown({ a: null }), 'map[a:<nil>]')
  })

  test('have conditions and loops, with variables that last as long as these', () => {
    const names = '{{ range $i, $c := .spec.containers }}{{ if $i }},{{ end }}{{ $i }}{{ $c.name }}{{ .image }}{{ end }}'
    assert.equal(filled(names, pod), '0xi,1yj')
    assert.equal(
      filled('{{ range .none }}a{{ else }}b{{ end }}{{ range $k, $v := .metadata.labels }}{{ $k }}{{ $v }}{{ end }}', pod),
      'ba1b2'
    )
    assert.equal(filled('{{ with .metadata }}{{ .name }}{{ end }}{{ with $x := .none }}1{{ else }}2{{ end }}', pod), 'web2')
    assert.equal(filled('{{ if .none }}1{{ else if eq .metadata.name "web" }}2{{ else }}3{{ end }}', pod), '2')
    assert.equal(
      filled(
        '{{ $has := false }}{{ range .spec.containers }}{{ if eq .name "y" }}{{ $has = true }}{{ end }}{{ end }}{{ $has }}',
        pod
      ),
      'true'
    )
    assert.equal(filled('{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ $x }}{{ end }}{{ $x }}'), '21')
  })

  test('have comments, and take white space away where asked to', () => {
    assert.equal(filled('a {{- /* }} */ -}} b {{ 1 -}}\n\n c {{- 2 }}'), 'ab 1c2')
    assert.equal(filled('{{ "}}" }}'), '}}')
  })

  test('write YAML', () => {
    assert.equal(filled('x:\n{{ YAML . 1 }}', { a: [{ b: 'true' }] }), 'x:\n\n  a:\n    - b: "true"\n  ')
    assert.equal(filled('{{ toJson . }}{{ Quote 5 }}{{ "x" | nindent 2 }}', { a: 1 }), '{"a":1}"5"\n  x')
  })

  test('are refused with their line where they are not understood', () => {
    const refused = (text: string, message: RegExp) =>
      assert.throws(
        () => filled(text),
        (error: Error) => error instanceof UnknownTemplate && message.test(error.message),
        text
      )
    refused('a\n{{ Frob . }}', /^line 2: function "Frob" is not known$/)
    refused('{{ .a', /an action without an end/)
    refused('{{ if .a }}', /an end is missing/)
    refused('{{ end }}', /without a beginning/)
    refused('{{ template "x" }}', /template is not understood/)
    refused('{{ $x }}', /undefined variable "\$x"/)
    refused('{{ if true }}{{ $y := 1 }}{{ end }}{{ $y }}', /undefined variable/)
    refused('{{ .a | .b }}', /is no function/)
    refused('{{ (.a }}', /a \) is missing/)
    refused('{{ .a ~ }}', /is not understood/)
    refused('{{ }}', /a value is missing/)
    refused('{{ constructor }}', /not known/)
    refused('{{ if true }}'.repeat(60), /too deep/)
  })

  test('fail where an object does not fit, and do not become very long', () => {
    const fails = (text: string, message: RegExp) =>
      assert.throws(
        () => filled(text, pod),
        (error: Error) => error instanceof TemplateFailed && message.test(error.message),
        text
      )
    fails('{{ index .none 0 }}', /^line 1: index: index of untyped nil$/)
    fails('{{ .metadata.name.x }}', /can't evaluate field x in "web"/)
    fails('{{ range .metadata.name }}{{ end }}', /can't iterate/)
    fails('{{ div 1 0 }}', /division by zero/)
    const big = JSON.stringify(Array.from({ length: 1000 }, () => 1))
    const loops = '{{ range .l }}{{ range $.l }}{{ range $.l }}{{ toJson . }}{{ end }}{{ end }}{{ end }}'
    assert.throws(() => filled(loops, { l: JSON.parse(big) }), TemplateFailed)
    const text = '{{ range .l }}{{ range $.l }}{{ $.t }}{{ end }}{{ end }}'
    assert.throws(() => filled(text, { l: JSON.parse(big), t: 'x'.repeat(1000) }), /characters/)
  })
})

import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { theme } from '../preferences.js'

export interface Line {
  readonly title: string
  readonly values: readonly (number | undefined)[]
}

export interface PlotProps {
  readonly title: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly lines: readonly Line[]
  /** Writes a value with its unit. */
  format(value: number): string
}

const colours = 8
const height = 150
const colour = (property: string) => getComputedStyle(document.documentElement).getPropertyValue(property).trim()

/** Lines over time. What they show last is beside their titles as text, too. */
export function Plot({ title, times, lines, format }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const titles = lines.map(line => line.title).join('\n')
  useEffect(() => {
    const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
    const options: uPlot.Options = {
      width: host.current!.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, __, most) => [0, most ? most * 1.15 : 1] } },
      axes: [axis, { ...axis, size: 62, values: (_, ticks) => ticks.map(format) }],
      series: [{}, ...lines.map((_, i) => ({ stroke: colour(`--owner-${i % colours}`), width: 2, points: { show: false } }))]
    }
    plot.current = new uPlot(options, [[], ...lines.map(() => [])], host.current!)
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: host.current!.clientWidth, height }))
    observer.observe(host.current!)
    return () => {
      observer.disconnect()
      plot.current?.destroy()
    }
  }, [titles, theme.value])
  useEffect(() => {
    plot.current?.setData([[...times], ...lines.map(({ values }) => values.map(value => value ?? null))])
  }, [times, lines])
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>
        {lines.map(({ title, values }, i) => {
          const last = values.at(-1)
          return (
            <span key={title} class="plot-line">
              <span class={`swatch owner-${i % colours}`} /> {title} {last === undefined ? '–' : format(last)}
            </span>
          )
        })}
      </figcaption>
      <div ref={host} aria-hidden="true" />
    </figure>
  )
}

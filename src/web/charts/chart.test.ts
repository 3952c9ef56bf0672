import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chartOf, movePanel, panelsOf, partsOf, saveChart, seriesOf, showPanel } from './chart.ts'

describe('a panel’s chart', () => {
  const values = new Map<string, string>()
  beforeEach(() => {
    values.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  it('is its own until another is chosen, and each panel’s is kept', () => {
    expect(chartOf('queue', 'bar')).toBe('bar')
    saveChart('queue', 'donut')
    saveChart('channel', 'bar')
    expect([chartOf('queue', 'bar'), chartOf('channel', 'donut')]).toEqual(['donut', 'bar'])
    saveChart('queue', 'bar')
    expect(values.get('dashboardChartPanels')).toBe('[{"key":"queue","chart":"bar"},{"key":"channel","chart":"bar"}]')
  })

  it.each(['[]', 'null', '{"queue":"donut"}', '[null]', '[{"key":"queue","chart":"heat"}]', 'x'])(
    'is its own when %s is stored',
    (text) => {
      values.set('dashboardChartPanels', text)
      expect(chartOf('queue', 'bar')).toBe('bar')
    },
  )
})

describe('the panels of a screen', () => {
  const values = new Map<string, string>()
  beforeEach(() => {
    values.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
    })
  })
  afterEach(() => vi.unstubAllGlobals())
  const keys = ['a', 'b', 'c']
  const order = () => panelsOf(keys).map(({ key, isHidden }) => (isHidden ? `-${key}` : key))

  it('are moved and hidden, and keep their charts', () => {
    saveChart('other', 'pie')
    saveChart('b', 'line')
    expect(order()).toEqual(keys)
    movePanel(keys, 'c', -1)
    expect(order()).toEqual(['a', 'c', 'b'])
    movePanel(['a', 'c', 'b'], 'a', -1)
    showPanel('c', false)
    expect(order()).toEqual(['a', '-c', 'b'])
    showPanel('c', true)
    expect([order(), chartOf('b', 'bar'), chartOf('other', 'bar')]).toEqual([['a', 'c', 'b'], 'line', 'pie'])
  })
})

it('so many series are told apart, the largest; what is more stands together, so that all add up', () => {
  const rows = [...[5, 1, 2].map((qtd, n) => ({ key: `${n}`, label: `N${n}`, qtd })), { key: '1', label: 'N1', qtd: 3 }]
  expect(seriesOf(rows, 3)).toEqual({
    own: [0, 1, 2].map((n) => ({ key: `${n}`, label: `N${n}` })),
    others: new Set(),
  })
  const { own, others } = seriesOf(rows, 2)
  expect([own.map(({ key }) => key), [...others]]).toEqual([['0'], ['1', '2']])
})

describe('the parts of a ring', () => {
  it.each([
    [[], []],
    [[0, 0], []],
    [[3], [3]],
    [
      [1, 3],
      [3, 1],
    ],
    [
      [1, 2, 3, 4, 5],
      [5, 4, 3, 2, 1],
    ],
    [
      [1, 2, 3, 4, 5, 6],
      [6, 5, 4, 3, 3],
    ],
  ])('of %j are %j', (counts, parts) => {
    const made = partsOf(counts, (count) => count)
    expect(made.map((part) => part.count)).toEqual(parts)
    const total = parts.reduce((sum, count) => sum + count, 0)
    expect(made.map((part) => part.share)).toEqual(parts.map((count) => count / total))
  })
})

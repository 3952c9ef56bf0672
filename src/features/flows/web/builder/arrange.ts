import { Graph, layout } from '@dagrejs/dagre'
import type { Point } from '#domain/flow/edit.ts'
import { itemAt, lookUp } from '#domain/present.ts'

/** Input of the layout: boxes with their sizes, and edges. */
export type Drawing = {
  readonly boxes: readonly { readonly id: string; readonly width: number; readonly height: number }[]
  readonly edges: readonly { readonly from: string; readonly to: string }[]
}

// Number of boxes above which only edges to the next column are laid out: the cost of an edge grows with the columns
// that it crosses.
const MANY = 150

/** Returns the edges from one column to the next; a box is in the first column in which it is reachable. */
function nextOnly({ boxes, edges }: Drawing): Drawing['edges'] {
  const bySource = Map.groupBy(edges, ({ from }) => from)
  const columns = new Map<string, number>()
  for (const { id } of boxes) {
    if (columns.has(id)) continue
    columns.set(id, 0)
    // Newly found boxes extend the same traversal.
    const met = [id]
    for (const from of met)
      for (const { to } of bySource.get(from) ?? []) {
        if (columns.has(to)) continue
        columns.set(to, lookUp(columns, from) + 1)
        met.push(to)
      }
  }
  return edges.filter(({ from, to }) => columns.get(to) === lookUp(columns, from) + 1)
}

/** Returns the positions of the boxes, from left to right along the edges. */
export function arrange({ boxes, edges }: Drawing): [id: string, at: Point][] {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 88, marginx: 40, marginy: 40 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height })
  for (const { from, to } of boxes.length > MANY ? nextOnly({ boxes, edges }) : edges)
    if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to)
  layout(graph)
  const heightOf = (id: string) => (graph.node(id) as Point).y
  // The layout may flip vertically: the first edge of a box should be on top.
  const bySource = Map.groupBy(
    edges.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to)),
    ({ from }) => from,
  )
  const falling = [...bySource.values()]
    .flatMap((all) => all.slice(1).map(({ to }, index) => Math.sign(heightOf(to) - heightOf(itemAt(all, index).to))))
    .reduce((sum, one) => sum + one, 0)
  const { height: whole = 0 } = graph.graph() as { height?: number }
  if (falling < 0) for (const { id } of boxes) (graph.node(id) as { y: number }).y = whole - heightOf(id)
  return boxes.map(({ id, width, height }) => {
    const { x = 0, y = 0 } = graph.node(id) as Partial<Point>
    return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }]
  })
}

import { firstOf } from '#domain/present.ts'
import '@xyflow/react/dist/base.css'
import { Button, Tooltip } from '@mantine/core'
import {
  Background,
  getViewportForBounds,
  type IsValidConnection,
  type NodeMouseHandler,
  type OnBeforeDelete,
  type OnConnect,
  type OnConnectEnd,
  type OnNodesChange,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useStoreApi,
  type Viewport,
} from '@xyflow/react'
import { type KeyboardEvent, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FlowDocument } from '#domain/flow/document.ts'
import { moveNodes, type Point } from '#domain/flow/edit.ts'
import { t } from '#web/t.ts'
import { AddIcon, ArrangeIcon, FitIcon, ZoomInIcon, ZoomOutIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import css from './canvas.module.css'
import type { Draft } from './draft.ts'
import { Dragging } from './dragged.ts'
import { edgeTypes } from './edges.tsx'
import { boundsOf, type CanvasNode, edgesOf, type Level, NEW_CONDITION, nodesOf } from './graph.ts'
import { QUICK } from './interaction-forms.ts'
import { iconOf } from './labels.tsx'
import { Miniature } from './Miniature.tsx'
import { useMarks } from './marks.ts'
import { nodeTypes } from './step-views.tsx'
import type { Edits, From } from './use-edits.ts'

/** Node to scroll into view; a new object for each request. */
export type Wanted = { readonly id: string }

const ariaLabels = {
  'node.a11yDescription.default': t('Enter abre a etapa. As setas a movem e Delete a exclui.'),
  'node.a11yDescription.keyboardDisabled': t('Enter abre a etapa. Delete a exclui.'),
  'node.a11yDescription.ariaLiveMessage': ({ x, y }: Point) =>
    t('Etapa em {x}, {y}', { x: Math.round(x), y: Math.round(y) }),
  'edge.a11yDescription.default': t('Delete exclui o caminho.'),
  'handle.ariaLabel': t('Ligação'),
}

type CanvasProps = {
  draft: Draft
  /** Document shown read-only instead of the draft. */
  shown: FlowDocument | null
  edits: Edits
  levels: ReadonlyMap<string | null, Level>
  selected: ReadonlySet<string>
  wanted: Wanted | null
  onSelect: (ids: ReadonlySet<string>) => void
  onEnter: () => void
  /** Called when a step is selected in the read-only document. */
  onLook: (id: string) => void
}

const isSelected = ({ selected = false }: CanvasNode) => selected

const withSelection = (nodes: readonly CanvasNode[], selected: ReadonlySet<string>): CanvasNode[] =>
  nodes.map((node) => (isSelected(node) === selected.has(node.id) ? node : { ...node, selected: !isSelected(node) }))

/** Canvas of the flow; changes are edits of the draft. */
export function Canvas(props: CanvasProps) {
  const [nodes] = useState(() =>
    withSelection(nodesOf(props.shown ?? props.draft.state.get().document, [], props.levels), props.selected),
  )
  // React Flow owns the nodes from here on: dragging re-renders only the step and its edges.
  return (
    <ReactFlowProvider defaultNodes={nodes}>
      <Drawing {...props} />
    </ReactFlowProvider>
  )
}

const DELETE_KEYS = ['Delete', 'Backspace']
const NO_ATTRIBUTION = { hideAttribution: true }
const LEAST_ZOOM = 0.1
const LEGIBLE = 0.6
const MARGIN = 24
const PADDING = { top: '72px', right: '12%', bottom: '12%', left: '12%' } as const
// Width of the rail beside the canvas, in px.
const RAIL = 64
const HEADER = 58
// Maximum width of an open panel beside the canvas, in px.
const OPENED = 640

/**
 * Returns a viewport with the whole flow, if its steps stay legible, left of the panel's place; else one at the start of the
 * flow.
 */
function viewportFor(nodes: readonly CanvasNode[], width: number, height: number): Viewport {
  const bounds = boundsOf(nodes)
  const whole = getViewportForBounds(bounds, width, height, LEAST_ZOOM, 1, PADDING)
  if (whole.zoom >= LEGIBLE) return { ...whole, x: Math.min(whole.x, MARGIN - bounds.x * whole.zoom) }
  const { x = 0, y = 0 } = nodes[0]?.position ?? {}
  return { x: 80 - x * LEGIBLE, y: height / 3 - y * LEGIBLE, zoom: LEGIBLE }
}

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((id) => other.has(id))

const fromOf = (id: string, handle: string | null | undefined): From => {
  if (handle === NEW_CONDITION) return { id, index: NEW_CONDITION }
  return { id, index: handle === 'start' ? null : Number(handle) }
}

function Drawing({ draft, shown, edits, levels, selected, wanted, onSelect, onEnter, onLook }: CanvasProps) {
  const drafted = draft.state.use(({ document }) => document)
  const document = shown ?? drafted
  const isFixed = shown !== null
  const marks = useMarks()
  const store = useStoreApi<CanvasNode>()
  const drawn = useRef({ document, levels })
  useLayoutEffect(() => {
    if (drawn.current.document === document && drawn.current.levels === levels) return
    drawn.current = { document, levels }
    const { nodes, setNodes } = store.getState()
    setNodes(nodesOf(document, nodes, levels))
  }, [store, document, levels])
  useLayoutEffect(() => {
    const { nodes, setNodes } = store.getState()
    if (nodes.some((node) => isSelected(node) !== selected.has(node.id))) setNodes(withSelection(nodes, selected))
  }, [store, selected])
  const [viewport] = useState(() => {
    const { nodes } = store.getState()
    const [width, height] = [innerWidth - RAIL, innerHeight - HEADER]
    const first = viewportFor(nodes, width, height)
    // Renders the visible steps at once, before React Flow has measured the canvas.
    store.setState({ width, height, transform: [first.x, first.y, first.zoom] })
    return first
  })
  // Renders the steps before the tools.
  const hasTools = useDeferredValue(true, false)
  const { screenToFlowPosition, getInternalNode, setCenter, getZoom, getViewport, setViewport } = useReactFlow()
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const node = wanted && getInternalNode(wanted.id)
    if (!node) return
    const { x, y } = node.internals.positionAbsolute
    const { width = 0, height = 0 } = node.measured
    void setCenter(x + width / 2, y + height / 2, { zoom: Math.max(getZoom(), 0.75), duration: 200 })
  }, [wanted, getInternalNode, setCenter, getZoom])

  // Keeps the opened step out from behind its panel.
  const canvasWidth = useStore((state) => state.width)
  const chosen = useRef(selected)
  chosen.current = selected
  useEffect(() => {
    const [id] = chosen.current
    const node = chosen.current.size === 1 && id !== undefined && getInternalNode(id)
    if (!node) return
    const { x, y, zoom } = getViewport()
    const right = (node.internals.positionAbsolute.x + (node.measured.width ?? 0)) * zoom + x
    const isBehind = right + MARGIN > canvasWidth && right < canvasWidth + OPENED
    if (isBehind) void setViewport({ x: x - (right + MARGIN - canvasWidth), y, zoom }, { duration: 200 })
  }, [canvasWidth, getInternalNode, getViewport, setViewport])

  const base = useMemo(() => edgesOf(document), [document])
  const edges = useMemo(
    () =>
      base.map((edge) => {
        const isNear = marks.size === 0 && (selected.has(edge.source) || selected.has(edge.target))
        const className = marks.get(edge.id) ?? (isNear ? 'lit' : undefined)
        return className ? { ...edge, className } : edge
      }),
    [base, selected, marks],
  )
  const isLookedAt = useRef(isFixed)
  isLookedAt.current = isFixed
  // Stable handlers: a changed one makes React Flow check every node and edge.
  const handlers = useMemo(() => {
    const onNodesChange: OnNodesChange<CanvasNode> = (changes) => {
      const moved = changes.flatMap((one) =>
        one.type === 'position' && one.dragging === false && one.position ? [[one.id, one.position] as const] : [],
      )
      if (moved.length > 0)
        draft.edit((now) => moveNodes(now, new Map(moved)), `move ${moved.map(([id]) => id).join()}`)
      picked ??= new Set(chosen.current)
      for (const one of changes) {
        if (one.type === 'select') one.selected ? picked.add(one.id) : picked.delete(one.id)
        // Also when a second finger ends the drag.
        if (one.type === 'position' && one.dragging === false) isDragging = false
      }
      queueMicrotask(select)
    }
    // A step selected by a drag opens at the drop: opening it earlier would delay the pointer.
    let picked: Set<string> | null = null
    let isDragging = false
    const select = () => {
      if (isDragging || picked === null) return
      if (!isSameSet(picked, chosen.current)) onSelect(picked)
      picked = null
    }
    const onNodeDragStart = () => {
      isDragging = true
    }
    const onNodeDragStop = () => {
      isDragging = false
      select()
    }
    const onConnect: OnConnect = ({ source, sourceHandle, target }) => edits.lead(fromOf(source, sourceHandle), target)
    const onConnectEnd: OnConnectEnd = (event, { isValid, fromNode, fromHandle }) => {
      if (isValid || !fromNode || fromHandle?.type !== 'source') return
      const { clientX, clientY } = 'changedTouches' in event ? firstOf(event.changedTouches) : event
      // Dropped on the empty canvas: creates a new step there as target.
      const on = event.target as Element
      if (!on.closest('.react-flow__pane') || on.closest('.react-flow__node')) return
      const at = screenToFlowPosition({ x: clientX, y: clientY })
      edits.add({ at: { x: at.x, y: at.y - 19 }, from: fromOf(fromNode.id, fromHandle.id) })
    }
    const isValidConnection: IsValidConnection = ({ target }) => getInternalNode(target)?.type === 'step'
    const onBeforeDelete: OnBeforeDelete<CanvasNode> = async ({ nodes: gone, edges: cut }) => {
      edits.remove(gone, gone.length > 0 ? [] : cut)
      return false
    }
    const onNodeClick: NodeMouseHandler<CanvasNode> = (_, { id }) => {
      if (isLookedAt.current) onLook(id)
    }
    const drag = { onNodeDragStart, onNodeDragStop }
    return { onNodesChange, ...drag, onConnect, onConnectEnd, isValidConnection, onBeforeDelete, onNodeClick }
  }, [draft, edits, onSelect, onLook, screenToFlowPosition, getInternalNode])
  const middle = () => {
    const { left = 0, top = 0, width = 0, height = 0 } = box.current?.getBoundingClientRect() ?? {}
    return screenToFlowPosition({ x: left + width / 2 - 100, y: top + height / 3 })
  }
  const enter = ({ key, target }: KeyboardEvent) => {
    const node = target as HTMLElement
    if (key !== 'Enter' || !node.classList.contains('react-flow__node')) return
    if (isFixed) onLook(node.dataset['id'] ?? '')
    setTimeout(onEnter)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the steps within it take the key
    <div ref={box} className={css.canvas} onKeyDown={enter} data-canvas>
      <ReactFlow<CanvasNode>
        {...handlers}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        deleteKeyCode={isFixed ? null : DELETE_KEYS}
        nodesDraggable={!isFixed}
        nodesConnectable={!isFixed}
        elementsSelectable={!isFixed}
        edgesFocusable={false}
        onlyRenderVisibleElements
        minZoom={LEAST_ZOOM}
        maxZoom={2}
        defaultViewport={viewport}
        ariaLabelConfig={ariaLabels}
        proOptions={NO_ATTRIBUTION}
        zoomOnDoubleClick={false}
      >
        <Dragging canvas={box} />
        <Background gap={20} size={2} />
        {hasTools && !isFixed && (
          <Panel position="top-left" className={css.tools}>
            <Button
              size="sm"
              variant="light"
              leftSection={<AddIcon size={16} />}
              onClick={() => edits.add({ at: middle() })}
            >
              {t('Etapa')}
            </Button>
            {QUICK.map(({ type, label, does }) => {
              const Icon = iconOf({ does })
              return (
                <Tooltip key={type} label={label}>
                  <IconButton aria-label={label} onClick={() => edits.add({ at: middle(), types: [type] })}>
                    <Icon size={17} />
                  </IconButton>
                </Tooltip>
              )
            })}
          </Panel>
        )}
        {hasTools && (
          <Panel position="bottom-left" className={css.tools}>
            <Zoom onArrange={isFixed ? null : edits.arrange} />
          </Panel>
        )}
        {hasTools && <Miniature />}
      </ReactFlow>
    </div>
  )
}

function Zoom({ onArrange }: { onArrange: (() => Promise<void>) | null }) {
  const { zoomIn, zoomOut, getNodes, setViewport } = useReactFlow<CanvasNode>()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const showAll = () =>
    void setViewport(getViewportForBounds(boundsOf(getNodes()), width, height, LEAST_ZOOM, 1, PADDING), {
      duration: 200,
    })
  const zoom = useStore(({ transform }) => Math.round(transform[2] * 100))
  const tools = [
    [t('Diminuir'), ZoomOutIcon, () => void zoomOut()],
    [t('Aumentar'), ZoomInIcon, () => void zoomIn()],
    [t('Ver o fluxo inteiro'), FitIcon, showAll],
    ...(onArrange
      ? [[t('Organizar as etapas'), ArrangeIcon, () => void onArrange().then(() => setTimeout(showAll))] as const]
      : []),
  ] as const
  return tools.map(([label, Icon, run], index) => (
    <span key={label} className={css.tool}>
      {index === 1 && <output className={css.zoom}>{zoom}%</output>}
      <Tooltip label={label}>
        <IconButton aria-label={label} onClick={run}>
          <Icon size={17} />
        </IconButton>
      </Tooltip>
    </span>
  ))
}

import { Handle, type NodeProps, Position, useStore } from '@xyflow/react'
import { memo } from 'react'
import type { Parts } from '#domain/flow/parts.ts'
import { t } from '#web/t.ts'
import { ConditionIcon, MessageIcon, PlayIcon, VariableIcon } from '#web/ui/icons.ts'
import css from './canvas.module.css'
import { type EndNode, NEW_CONDITION, type StepNode } from './graph.ts'
import { LevelMark } from './LevelMark.tsx'
import { conditionText, endOf, iconOf, interactionText, isAvailable, withVariables } from './labels.tsx'
import { useMarks } from './marks.ts'
import { useNames } from './names.ts'
import { PaintMark } from './PaintMark.tsx'
import { heightOf, isTall, SIZE } from './parts.ts'
import { StepFigures, WayFigure } from './step-figures.tsx'

// Zoom below which only the name of a step is legible, and only in large letters.
const FAR = 0.35

type Drawn = Pick<NodeProps, 'data' | 'selected'>
// The rendering does not depend on the position.
const looksTheSame = (one: Drawn, other: Drawn) => one.data === other.data && one.selected === other.selected

const StepView = memo(function StepView({ data: { parts, level }, selected }: NodeProps<StepNode>) {
  const marks = useMarks()
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < FAR)
  const { id, name, interactions } = parts
  const First = interactions[0] ? iconOf(interactions[0]) : MessageIcon
  if (isFar)
    return (
      <div
        className={`${css.step} ${css.far}`}
        style={{ width: SIZE.step.width, height: heightOf(parts).height }}
        data-selected={selected || undefined}
        data-level={level ?? undefined}
        data-mark={marks.get(id)}
      >
        {name}
      </div>
    )
  return (
    <div
      className={css.step}
      style={{ width: SIZE.step.width }}
      data-selected={selected || undefined}
      data-level={level ?? undefined}
      data-mark={marks.get(id)}
    >
      <Handle type="target" position={Position.Left} className={css.port} />
      <span className={css.above}>
        <StepFigures id={id} />
      </span>
      <header>
        <i className={css.tile} data-does={interactions[0]?.does}>
          <First size={16} />
        </i>
        <strong className="g-cut">{name}</strong>
        <PaintMark mark={marks.get(id)} />
        <LevelMark level={level} />
      </header>
      <StepRows step={parts} />
      <StepConditions step={parts} />
    </div>
  )
}, looksTheSame)

function StepConditions({ step: { id, conditions } }: { step: Parts }) {
  const names = useNames()
  const marks = useMarks()
  return (
    <>
      {conditions.map((one, index) => (
        <p
          key={index}
          className={css.condition}
          data-any={one.test.of === 'any' || undefined}
          data-mark={marks.get(`${id}>${index}`)}
        >
          <ConditionIcon size={14} />
          <span className="g-cut">{conditionText(one, names)}</span>
          <WayFigure {...{ id, index }} />
          <PaintMark mark={marks.get(`${id}>${index}`)} />
          <Handle type="source" id={String(index)} position={Position.Right} className={css.port} />
        </p>
      ))}
      {conditions.length === 0 && (
        <p className={css.condition} data-any>
          <ConditionIcon size={14} />
          <span className="g-cut">{t('O fluxo termina aqui')}</span>
          <Handle type="source" id={NEW_CONDITION} position={Position.Right} className={css.port} />
        </p>
      )}
    </>
  )
}

function StepRows({ step: { interactions, capture } }: { step: Parts }) {
  const names = useNames()
  return (
    <>
      {interactions.length === 0 && <p className={css.row}>{t('Nada ainda')}</p>}
      {interactions.map((one, index) => {
        const Icon = iconOf(one)
        return (
          <p
            key={index}
            className={css.row}
            data-tall={isTall(one) || undefined}
            data-off={!isAvailable(one) || undefined}
          >
            <Icon size={15} />
            <span>{withVariables(interactionText(one, names))}</span>
          </p>
        )
      })}
      {capture && (
        <p className={css.row}>
          <VariableIcon size={15} />
          <span>
            {t('guarda em')} <b>{capture.key}</b>
          </span>
        </p>
      )}
    </>
  )
}

const EndView = memo(function EndView({ id, data: { action, distribution }, selected }: NodeProps<EndNode>) {
  const marks = useMarks()
  const { title, text, icon: Icon } = endOf(action, useNames(), distribution)
  return (
    <div className={css.end} style={SIZE.end} data-selected={selected || undefined} data-mark={marks.get(id)}>
      <Handle type="target" position={Position.Left} className={css.port} isConnectable={false} />
      <i className={css.tile} data-to={action.to}>
        <Icon size={17} />
      </i>
      <span>
        <strong className="g-cut">{title}</strong>
        <small className="g-cut">{text}</small>
      </span>
    </div>
  )
}, looksTheSame)

const StartView = memo(function StartView({ selected }: NodeProps) {
  return (
    <div className={css.start} style={SIZE.start} data-selected={selected || undefined}>
      <PlayIcon size={15} />
      {t('Início')}
      <Handle type="source" id="start" position={Position.Right} className={css.port} />
    </div>
  )
}, looksTheSame)

/** Components of the node types. */
export const nodeTypes = { step: StepView, end: EndView, start: StartView }

import { type ReactNode, useState } from 'react'
import { isOneOf } from '#domain/keys.ts'
import { t } from '#web/t.ts'
import {
  AreaIcon,
  BarsIcon,
  CloseIcon,
  DonutIcon,
  FullScreenIcon,
  LineIcon,
  PieIcon,
  RadarIcon,
  TableIcon,
} from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { useLayer } from '../shell/layers.ts'
import { Chart } from './Chart.tsx'
import { CHARTS, type ChartData, type ChartKind, chartOf, saveChart } from './chart.ts'
import css from './charts.module.css'

const KINDS = {
  bar: { icon: BarsIcon, label: t('Em barras') },
  line: { icon: LineIcon, label: t('Em linhas') },
  area: { icon: AreaIcon, label: t('Em áreas') },
  radar: { icon: RadarIcon, label: t('Em radar') },
  donut: { icon: DonutIcon, label: t('Em anel') },
  pie: { icon: PieIcon, label: t('Em pizza') },
  table: { icon: TableIcon, label: t('Em tabela') },
}
type Kind = keyof typeof KINDS

/**
 * Panel with a chart whose kind the user chooses; stored in this browser under `panel`, except the table. `quick` kinds are
 * buttons, all others are in the menu with `commands`.
 */
export function ChartCard(
  props: Omit<ChartData, 'label'> & {
    panel: string
    title: string
    own: ChartKind
    quick: readonly ChartKind[]
    commands?: readonly Command[]
    /** Text in place of a chart without marks, or a ring of zeros. */
    empty: string
    info?: ReactNode
  },
) {
  const { panel, title, own, quick, commands = [], empty, info, ...data } = props
  const [chart, setChart] = useState<Kind>(() => chartOf(panel, own))
  const [isFull, setFull] = useState(false)
  useLayer(isFull, () => setFull(false))
  // A ring of zeros would be drawn as nothing.
  const isBlank = data.marks.every(({ values }) => chart === 'donut' && Object.values(values).every((one) => one === 0))
  const choose = (next: Kind) => {
    if (next !== 'table') saveChart(panel, next)
    setChart(next)
  }
  const menu: Command[] = [
    ...[...CHARTS, 'table' as const].map((kind) => ({ id: kind, ...KINDS[kind], run: () => choose(kind) })),
    { id: 'full', label: t('Tela cheia'), icon: FullScreenIcon, group: 'more', run: () => setFull(true) },
    ...commands.map((one) => ({ group: 'more', ...one })),
  ]
  return (
    <div className={isFull ? css.full : css.panel}>
      <Card
        title={
          <span className={css.title}>
            {title} {info}
          </span>
        }
        actions={
          <span className={css.kinds}>
            <QuickKinds
              kinds={isOneOf(quick, chart) ? quick : [...quick.slice(0, -1), chart]}
              chosen={chart}
              onChoose={choose}
            />
            <CommandMenu commands={menu} size={28} label={t('Opções de {title}', { title })} />
            {isFull && (
              <IconButton size={28} aria-label={t('Sair da tela cheia')} onClick={() => setFull(false)}>
                <CloseIcon size={17} />
              </IconButton>
            )}
          </span>
        }
      >
        {isBlank ? <p className={css.none}>{empty}</p> : <Chart kind={chart} label={title} {...data} />}
      </Card>
    </div>
  )
}

/** Buttons of the kinds that are chosen without the menu. */
function QuickKinds(props: { kinds: readonly Kind[]; chosen: Kind; onChoose: (kind: Kind) => void }) {
  const { kinds, chosen, onChoose } = props
  return kinds.map((kind) => {
    const { icon: Icon, label } = KINDS[kind]
    return (
      <IconButton key={kind} size={28} aria-label={label} aria-pressed={kind === chosen} onClick={() => onChoose(kind)}>
        <Icon size={17} />
      </IconButton>
    )
  })
}

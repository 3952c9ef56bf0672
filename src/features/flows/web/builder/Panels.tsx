import type { RefObject } from 'react'
import type { JsonObject } from '#domain/flow/json.ts'
import type { Parts } from '#domain/flow/parts.ts'
import { CasesPanel } from './CasesPanel.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import type { Draft } from './draft.ts'
import { ProblemsPanel } from './ProblemsPanel.tsx'
import { PublishShare } from './PublishShare.tsx'
import { ReplayPanel } from './ReplayPanel.tsx'
import { SaveCase } from './SaveCase.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { Simulator } from './Simulator.tsx'
import { StatsPanel } from './StatsPanel.tsx'
import { StepPanel } from './StepPanel.tsx'
import { UsedByFlow } from './UsedByFlow.tsx'
import type { Comparison } from './use-comparison.ts'
import type { Edits } from './use-edits.ts'
import type { Simulator as Simulation } from './use-simulator.ts'
import type { StatsState } from './use-stats.ts'
import { VersionsPanel } from './VersionsPanel.tsx'

/** Open panel beside the flow. */
export type Panel =
  | { readonly kind: 'step'; readonly condition: number | null }
  | { readonly kind: 'settings' | 'versions' | 'stats' | 'replay' }
  /** `refusal`: why publishing was refused, if that opened the panel. */
  | { readonly kind: 'problems'; readonly refusal?: string }
  | { readonly kind: 'cases'; readonly opened: number | null; readonly refusal?: string }
  | null

/** Open dialog over the flow. */
export type Asked = 'share' | 'case' | 'channels' | 'publish' | null

/** Open panel and dialog of the builder; renders after the flow. */
export function Panels(props: {
  draft: Draft
  edits: Edits
  panel: Panel
  /** Id of the selected item, and the step that it belongs to. */
  selected: string | undefined
  step: JsonObject | undefined
  parts: readonly Parts[]
  captured: readonly string[]
  comparison: Comparison
  stats: StatsState
  simulator: Simulation
  isSimulating: boolean
  asked: Asked
  panelBox: RefObject<HTMLElement | null>
  simulatorBox: RefObject<HTMLElement | null>
  onOpen: (id: string) => void
  onShow: (id: string) => void
  onPanel: (next: Exclude<Panel, null>, isFocused?: boolean) => void
  onRestore: (version: number) => Promise<void>
  onPublish: (share?: number) => Promise<boolean>
  onSimulate: (isOn: boolean) => void
  onAsk: (asked: 'case' | null) => void
  onClose: () => void
}) {
  const { draft, edits, panel, selected, step, parts, captured, comparison, stats, simulator, isSimulating } = props
  const { asked, panelBox, simulatorBox, onOpen, onShow, onPanel, onRestore, onPublish, onSimulate, onAsk } = props
  const { detail, saving } = draft.state.use()
  const { played } = simulator
  const beside = { panel: panelBox, onClose: props.onClose }
  return (
    <>
      {panel?.kind === 'step' && step && (
        <StepPanel
          key={selected}
          {...{ draft, edits, step, captured, ...beside }}
          steps={parts}
          condition={panel.condition}
        />
      )}
      {panel?.kind === 'settings' && <SettingsPanel {...{ draft, captured, ...beside }} />}
      {panel?.kind === 'problems' && (
        <ProblemsPanel
          {...beside}
          refusal={panel.refusal}
          problems={detail.problems}
          cases={detail.cases}
          onCase={(id) => onPanel({ kind: 'cases', opened: id })}
          onOpen={({ nodeId, code }) => {
            if (nodeId !== null) onOpen(nodeId)
            else if (code !== 'noStart' && code !== 'missingTarget') onPanel({ kind: 'settings' }, false)
          }}
        />
      )}
      {panel?.kind === 'versions' && <VersionsPanel {...{ draft, comparison, onShow, onRestore, ...beside }} />}
      {panel?.kind === 'replay' && <ReplayPanel {...{ draft, ...beside }} />}
      {panel?.kind === 'stats' && <StatsPanel {...{ id: detail.id, stats, onShow, ...beside }} />}
      {panel?.kind === 'cases' && (
        <CasesPanel
          key={panel.opened}
          {...{ draft, ...beside }}
          steps={parts}
          opened={panel.opened}
          refusal={panel.refusal}
          onPlay={(conversation) => {
            simulator.load(conversation)
            onSimulate(true)
          }}
        />
      )}
      {isSimulating && (
        <Simulator
          simulator={simulator}
          panel={simulatorBox}
          onOpen={onOpen}
          onSave={() => onAsk('case')}
          onClose={() => onSimulate(false)}
        />
      )}
      {saving === 'changed' && <ConflictDialog draft={draft} />}
      {asked === 'share' && <PublishShare onPublish={onPublish} onClose={() => onAsk(null)} />}
      {asked === 'channels' && <UsedByFlow id={detail.id} onClose={() => onAsk(null)} />}
      {asked === 'publish' && <UsedByFlow id={detail.id} publish={() => onPublish()} onClose={() => onAsk(null)} />}
      {asked === 'case' && played && (
        <SaveCase {...{ draft, played }} conversation={simulator.conversation} onClose={() => onAsk(null)} />
      )}
    </>
  )
}

import { Button, TextInput, Tooltip } from '@mantine/core'
import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { sentence } from '#web/api.ts'
import { t } from '#web/t.ts'
import { LoadError } from '#web/ui/feedback/states.tsx'
import {
  CaseIcon,
  ClockIcon,
  CloseIcon,
  RedoIcon,
  RefreshIcon,
  SendIcon,
  SettingsIcon,
  UndoIcon,
} from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { Choices } from './Choices.tsx'
import { pauseMs, rowsOf } from './conversation.ts'
import { OutsideAnswer } from './OutsideAnswer.tsx'
import { SimulatedRow } from './SimulatedRow.tsx'
import { SimulatorSetup } from './SimulatorSetup.tsx'
import css from './simulator.module.css'
import type { Simulator as State } from './use-simulator.ts'

const minuteMs = 60_000
const spans: readonly (readonly [string, number])[] = [
  [t('1 minuto depois'), minuteMs],
  [t('10 minutos depois'), 10 * minuteMs],
  [t('1 hora depois'), 60 * minuteMs],
  [t('1 dia depois'), 24 * 60 * minuteMs],
]

/** Panel that simulates a customer's conversation with the draft; sends nothing. */
export function Simulator(props: {
  simulator: State
  panel: Ref<HTMLElement>
  onOpen: (nodeId: string) => void
  onSave: () => void
  onClose: () => void
}) {
  const { simulator, panel, onOpen, onSave, onClose } = props
  const { conversation, played, error, isCurrent, take } = simulator
  const [text, setText] = useState('')
  const [isSetup, setSetup] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  const knownId = useId()
  const rows = played ? rowsOf(conversation.events, played) : []
  const count = rows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new row is brought into sight
  useEffect(() => void end.current?.scrollIntoView({ block: 'nearest' }), [count])
  const write = (written: string) => {
    if (written.trim() === '') return
    take({ does: 'write', ms: pauseMs, text: written.trim() })
    setText('')
  }
  const last = rows.findLast(({ kind }) => kind === 'message')
  const asked = last?.kind === 'message' && played?.waiting === 'answer' ? last : null
  const captured = Object.entries(played?.variables ?? {})
  const variables = [...captured, ...Object.entries(played?.known ?? {})]
  const hasEnded = played !== undefined && played.end !== null
  return (
    <aside ref={panel} className={css.simulator} aria-label={t('Simulador')} tabIndex={-1}>
      <header>
        <h2>
          <i data-on={isCurrent || undefined} />
          {t('Simulador')}
        </h2>
        <small className="g-cut" title={played?.contactName}>
          {played && t('como {name}', { name: played.contactName })}
        </small>
        <IconButton
          aria-label={t('Com quem, por onde e quando')}
          aria-expanded={isSetup}
          onClick={() => setSetup(!isSetup)}
        >
          <SettingsIcon size={18} />
        </IconButton>
        <Tooltip label={t('Recomeçar')}>
          <IconButton aria-label={t('Recomeçar')} onClick={simulator.restart}>
            <RefreshIcon size={18} />
          </IconButton>
        </Tooltip>
        <IconButton aria-label={t('Fechar o simulador')} onClick={onClose}>
          <CloseIcon size={19} />
        </IconButton>
      </header>
      {isSetup && <SimulatorSetup simulator={simulator} />}
      {error && <LoadError text={sentence(error)} retry={simulator.retry} />}
      <div className={css.conversation} role="log" aria-label={t('Conversa simulada')} aria-busy={!isCurrent}>
        {rows.map((row, index) => (
          <SimulatedRow key={index} row={row} onOpen={onOpen} />
        ))}
        {played?.call && <OutsideAnswer key={rows.length} call={played.call} onAnswer={take} />}
        {asked && <Choices asked={asked} onChoose={write} />}
        <div ref={end} />
      </div>
      {variables.length > 0 && (
        <section className={css.known} aria-labelledby={knownId}>
          <h3 id={knownId}>
            {t('Variáveis agora')} <span>{variables.length}</span>
          </h3>
          <dl className={css.variables}>
            {variables.map(([name, value], index) => (
              <div key={name} data-captured={index < captured.length || undefined}>
                <dt>{name}</dt>
                <dd className="g-cut">{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <div className={css.tools}>
        <IconButton aria-label={t('Voltar um passo')} disabled={!simulator.canUndo} onClick={simulator.undo}>
          <UndoIcon size={18} />
        </IconButton>
        <IconButton aria-label={t('Avançar um passo')} disabled={!simulator.canRedo} onClick={simulator.redo}>
          <RedoIcon size={18} />
        </IconButton>
        <CommandMenu
          commands={spans.map(([label, ms]) => ({ id: label, label, run: () => take({ does: 'wait', ms }) }))}
          position="top-start"
          target={
            <IconButton aria-label={t('Passar o tempo')}>
              <ClockIcon size={18} />
            </IconButton>
          }
        />
        <Button variant="subtle" size="sm" leftSection={<CaseIcon size={16} />} disabled={!isCurrent} onClick={onSave}>
          {t('Salvar como caso')}
        </Button>
      </div>
      <form
        className={css.composer}
        onSubmit={(event) => {
          event.preventDefault()
          write(text)
        }}
      >
        <TextInput
          aria-label={t('Responder como o contato')}
          placeholder={hasEnded ? t('O fluxo terminou') : t('Responder como o contato')}
          disabled={hasEnded}
          value={text}
          maxLength={4096}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <IconButton type="submit" data-filled size={38} aria-label={t('Enviar')} disabled={hasEnded}>
          <SendIcon size={18} />
        </IconButton>
      </form>
    </aside>
  )
}

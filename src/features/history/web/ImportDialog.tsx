import { Button, Modal, Progress, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import acts from '#features/messages/web/acts/acts.module.css'
import { momentAt } from '#features/schedules/web/wall.ts'
import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import css from '#web/ui/feedback/dialogs.module.css'
import { history } from '../addresses.ts'
import type { HistoryImport } from '../contract.ts'
import { broughtBy, useLastImport } from './imports.ts'

const limits = ['50', '100', '500', '1000'] as const

const ends: Readonly<Record<HistoryImport['status'], string>> = {
  running: t('Importando'),
  done: t('Concluída'),
  canceled: t('Parada'),
  failed: t('O canal não respondeu'),
}

/** “Importar conversas”: dialog that starts, follows and stops an import, which continues when the dialog is closed. */
export function ImportDialog({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const last = useLastImport(id)
  const [range, setRange] = useState<Range>({ limit: limits[1], since: '', until: '', groups: true })
  const { busy, problem, ask } = useAsking()
  const begin = () => {
    const { limit, since, until, groups } = range
    const times = { since: momentAt(since) ?? undefined, until: momentAt(until) ?? undefined }
    const body = { whatsappId: id, limit: Number(limit), groups, ...times }
    return ask(() => call(history.importAll, { body }, { quiet: true }))
  }
  const stop = (one: HistoryImport) => ask(() => call(history.cancel, { params: { id: one.id } }, { quiet: true }))
  const running = last?.status === 'running' ? last : null
  return (
    <Modal opened onClose={onClose} size={480} title={t('Importar conversas de “{name}”', { name })}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void begin()
        }}
      >
        <p className={acts.preview}>
          {t(
            'As mensagens entram com o horário em que foram enviadas. Nada é reaberto, ninguém é avisado, e importar de novo traz só o que falta.',
          )}
        </p>
        {running ? <RunningImport one={running} /> : <RangeFields values={range} onChange={setRange} />}
        {last && !running && (
          <p className={acts.preview}>
            {t('Última importação')}: {ends[last.status]} · {formatDateTime(last.endedAt ?? last.createdAt)} ·{' '}
            {broughtBy(last)}
          </p>
        )}
        {problem && (
          <p className={acts.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Fechar')}
          </Button>
          {running ? (
            <Button variant="default" loading={busy} onClick={() => void stop(running)}>
              {t('Parar')}
            </Button>
          ) : (
            <Button type="submit" loading={busy || last === undefined}>
              {t('Importar')}
            </Button>
          )}
        </div>
      </form>
    </Modal>
  )
}

/** Runs one request at a time; keeps the reason when it fails. */
function useAsking() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const ask = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(null)
    await work().catch((error) => setProblem(sentence(error)))
    setBusy(false)
  }
  return { busy, problem, ask }
}

type Range = { limit: string; since: string; until: string; groups: boolean }

/** Which messages are imported. */
function RangeFields({ values, onChange }: { values: Range; onChange: (values: Range) => void }) {
  const { limit, since, until, groups } = values
  return (
    <>
      <Select
        data-autofocus
        openOnFocus={false}
        allowDeselect={false}
        label={t('Mensagens de cada conversa')}
        data={limits.map((value) => ({ value, label: t('As últimas {count}', { count: Number(value) }) }))}
        value={limit}
        onChange={(value) => onChange({ ...values, limit: value ?? limits[1] })}
      />
      <TextInput
        type="datetime-local"
        label={t('A partir de')}
        description={t('Em branco: desde a primeira.')}
        max={until}
        value={since}
        onChange={(event) => onChange({ ...values, since: event.currentTarget.value })}
      />
      <TextInput
        type="datetime-local"
        label={t('Ditas até')}
        description={t('Em branco: até a última.')}
        min={since}
        value={until}
        onChange={(event) => onChange({ ...values, until: event.currentTarget.value })}
      />
      <Switch
        label={t('Também as conversas de grupos')}
        checked={groups}
        onChange={(event) => onChange({ ...values, groups: event.currentTarget.checked })}
      />
    </>
  )
}

function RunningImport({ one }: { one: HistoryImport }) {
  const { chats, chatsDone } = one
  const text =
    chats === null
      ? t('Consultando o histórico do canal')
      : t('{done} de {all}', { done: chatsDone, all: plural(chats, t('conversa'), t('conversas')) })
  return (
    <div role="status">
      <Progress aria-label={t('Andamento da importação')} value={chats ? (chatsDone / chats) * 100 : 0} animated />
      <p>
        {text} · {broughtBy(one)}
      </p>
    </div>
  )
}

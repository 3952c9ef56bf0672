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
  const [limit, setLimit] = useState<string>(limits[1])
  const [since, setSince] = useState('')
  const [until, setUntil] = useState('')
  const [groups, setGroups] = useState(true)
  const { busy, problem, begin, stop } = useImport({ since, until, id, limit, groups })
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
        {running ? (
          <RunningImport one={running} />
        ) : (
          <ImportRange
            limit={limit}
            setLimit={setLimit}
            until={until}
            since={since}
            setSince={setSince}
            setUntil={setUntil}
            groups={groups}
            setGroups={setGroups}
          />
        )}
        <LastImport last={last} running={running} />
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

function LastImport({ last, running }: { last: HistoryImport | null | undefined; running: HistoryImport | null }) {
  return (
    last &&
    !running && (
      <p className={acts.preview}>
        {t('Última importação')}: {ends[last.status]} · {formatDateTime(last.endedAt ?? last.createdAt)} ·{' '}
        {broughtBy(last)}
      </p>
    )
  )
}

function ImportRange(props: {
  limit: string
  setLimit: (next: string) => void
  until: string
  since: string
  setSince: (next: string) => void
  setUntil: (next: string) => void
  groups: boolean
  setGroups: (next: boolean) => void
}) {
  const { limit, setLimit, until, since, setSince, setUntil, groups, setGroups } = props
  return (
    <>
      <Select
        data-autofocus
        openOnFocus={false}
        allowDeselect={false}
        label={t('Mensagens de cada conversa')}
        data={limits.map((value) => ({ value, label: t('As últimas {count}', { count: Number(value) }) }))}
        value={limit}
        onChange={(value) => setLimit(value ?? limits[1])}
      />
      <TextInput
        type="datetime-local"
        label={t('A partir de')}
        description={t('Em branco: desde a primeira.')}
        max={until}
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={t('Ditas até')}
        description={t('Em branco: até a última.')}
        min={since}
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
      <Switch
        label={t('Também as conversas de grupos')}
        checked={groups}
        onChange={(event) => setGroups(event.currentTarget.checked)}
      />
    </>
  )
}

/** Begins and stops an import, one request at a time. */
function useImport({
  since,
  until,
  id,
  limit,
  groups,
}: {
  since: string
  until: string
  id: number
  limit: string
  groups: boolean
}) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const ask = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(null)
    await work().catch((error) => setProblem(sentence(error)))
    setBusy(false)
  }
  const begin = () => {
    const range = { since: momentAt(since) ?? undefined, until: momentAt(until) ?? undefined }
    const body = { whatsappId: id, limit: Number(limit), groups, ...range }
    return ask(() => call(history.importAll, { body }, { quiet: true }))
  }
  const stop = (one: HistoryImport) => ask(() => call(history.cancel, { params: { id: one.id } }, { quiet: true }))
  return { busy, problem, begin, stop }
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

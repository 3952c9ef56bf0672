import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isApiError, sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, query, queryClient } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { on } from '#web/realtime/realtime.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon, DeleteIcon, EditIcon, RefreshIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { CopyButton } from '#web/ui/inputs/CopyButton.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import { calendarAccounts, calendarChanges } from '../addresses.ts'
import type { CalendarAccount } from '../contract.ts'
import { calendarConfig } from '../forms.ts'
import { AccountForm } from './AccountForm.tsx'
import css from './calendar.module.css'
import { statePill, waitingText } from './texts.tsx'

/** Page of the company's Google calendars: connect by login, change, remove. */
export function Accounts() {
  const { data, error, refetch } = useQuery(query(calendarAccounts.list))
  const [url, setUrl] = useUrlState()
  const problem = useReturn()
  useEffect(
    () => on(calendarChanges.changed, () => void queryClient.invalidateQueries({ queryKey: ['calendarAccounts'] })),
    [],
  )
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  const open = (id: string) => setUrl({ id })
  const accounts = data?.data ?? []
  return (
    <Page>
      <PageHeader
        title={t('Google Agenda')}
        facts={t('Eventos daqui e do Google, no mesmo calendário')}
        actions={
          accounts.length > 0 && (
            <Button leftSection={<AddIcon size={17} />} onClick={() => open('nova')}>
              {t('Nova agenda')}
            </Button>
          )
        }
      />
      <div className={css.column}>
        {problem && <Notice tone="neg">{problem}</Notice>}
        {!data && <SkeletonRows kind="card" rows={2} />}
        {data && accounts.length === 0 && (
          <EmptyState
            title={t('Nenhuma agenda conectada')}
            text={t('{help} Depois, entre com a conta da agenda.', { help: calendarConfig.help })}
            step={{ label: t('Conectar uma agenda'), run: () => open('nova') }}
          />
        )}
        {accounts.map((account) => (
          <AccountCard key={account.id} account={account} onEdit={() => open(String(account.id))} />
        ))}
        {data && <BackAddress url={data.backUrl} />}
      </div>
      {url['id'] && data && (
        <AccountForm
          key={url['id']}
          account={accounts.find(({ id }) => String(id) === url['id']) ?? null}
          onClose={() => setUrl({ id: undefined })}
        />
      )}
    </Page>
  )
}

function BackAddress({ url }: { url: string | null }) {
  return (
    <Card title={t('Endereço de volta')}>
      <div className={css.account}>
        <p>
          {url
            ? t('No Google Cloud, este endereço entra em “URIs de redirecionamento autorizados”, letra por letra:')
            : t('O Google precisa de um endereço para voltar: defina PUBLIC_URL na instalação.')}
        </p>
        {url && (
          <div className={css.back}>
            <code>{url}</code>
            <CopyButton label={t('Copiar')} text={() => url} />
          </div>
        )}
      </div>
    </Card>
  )
}

/** Hook that submits Google's redirect parameters once and removes them from URL and history; returns the error text. */
function useReturn(): string {
  const [url, setUrl] = useUrlState()
  const [back] = useState(() => ({ state: url['state'], code: url['code'] }))
  const [problem, setProblem] = useState(back.state && !back.code ? t('O login foi interrompido. Comece de novo.') : '')
  const isTaken = useRef(false)
  useEffect(() => {
    if (isTaken.current || back.state === undefined) return
    isTaken.current = true
    setUrl({
      ...{ state: undefined, code: undefined, scope: undefined, authuser: undefined, prompt: undefined },
      ...{ error: undefined, hd: undefined },
    })
    if (back.code === undefined) return
    const body = { state: back.state, code: back.code }
    call(calendarAccounts.finish, { body }, { quiet: true, long: true }).then(
      ({ name }) => notify({ tone: 'pos', title: t('{name} está conectada', { name }) }),
      (error: unknown) => setProblem(refusalText(error)),
    )
  }, [setUrl, back])
  return problem
}

/** Returns the display text of a refusal, with Google's reason. */
function refusalText(error: unknown): string {
  const reason = isApiError(error) ? error.details['reason'] : undefined
  return typeof reason === 'string' ? reason : sentence(error)
}

function AccountCard({ account, onEdit }: { account: CalendarAccount; onEdit: () => void }) {
  const { id, name, isActive, status, problem, email, calendarId, syncedAt, waiting } = account
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const signIn = async () => {
    setBusy(true)
    setRefusal('')
    try {
      const { url } = await call(calendarAccounts.login, { body: { configId: id } }, { quiet: true })
      location.assign(url)
    } catch (error) {
      setRefusal(refusalText(error))
      setBusy(false)
    }
  }
  return (
    <Card
      title={name}
      actions={<CommandMenu label={t('Ações de {name}', { name })} commands={commandsOf(account, onEdit)} />}
    >
      <div className={css.account}>
        <p className={css.about}>
          {isActive ? statePill(status) : <Pill>{t('Desligada')}</Pill>}
          <span>
            {[
              email,
              calendarId !== '' && calendarId !== 'primary' && calendarId,
              syncedAt && t('sincronizada em {when}', { when: formatDateTime(syncedAt) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </p>
        {problem && <Notice tone="neg">{problem}</Notice>}
        {waiting > 0 && <Notice tone="warn">{waitingText(waiting)}</Notice>}
        {refusal && <Notice tone="neg">{refusal}</Notice>}
        <div>
          <BusyButton
            variant={isIn(account) ? 'default' : 'filled'}
            busy={busy}
            doing={t('Abrindo')}
            onClick={() => busy || void signIn()}
          >
            {status === 'new' ? t('Entrar com o Google') : t('Entrar de novo com o Google')}
          </BusyButton>
        </div>
      </div>
    </Card>
  )
}

/** Whether Google accepted the account's last login. */
const isIn = ({ status }: CalendarAccount): boolean => status === 'ok' || status === 'failed'

function commandsOf(account: CalendarAccount, onEdit: () => void): readonly Command[] {
  const { id, name, isActive, waiting } = account
  const remove = async () => {
    const isSure = await confirm({
      title: t('Excluir {name}?', { name }),
      text: t('No Google nada muda. {waiting}', {
        waiting: waiting > 0 ? t('O que ainda não foi enviado se perde.') : t('Os eventos saem do calendário daqui.'),
      }),
      action: t('Excluir'),
      tone: 'neg',
    })
    if (isSure)
      await attempt(() => call(calendarAccounts.remove, { params: { id } }, { quiet: true }), t('Agenda excluída'))
  }
  return [
    { id: 'edit', label: t('Editar'), icon: EditIcon, run: onEdit },
    {
      id: 'sync',
      label: t('Sincronizar agora'),
      icon: RefreshIcon,
      when: () => isIn(account) && isActive,
      run: () =>
        void attempt(
          () => call(calendarAccounts.sync, { params: { id } }, { quiet: true }),
          t('A sincronização começou'),
        ),
    },
    { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove() },
  ]
}

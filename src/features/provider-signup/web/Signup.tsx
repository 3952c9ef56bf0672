import { useEffect, useRef, useState } from 'react'
import { firstOf } from '#domain/present.ts'
import type { ProviderOf, ProviderPart } from '#features/connections/web/index.ts'
import type { Answer } from '#kit/contract.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { ChannelTile } from '#web/ui/identity/ChannelTile.tsx'
import { Fields, Notice } from '#web/ui/inputs/fields.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { type SetUrl, useUrlState } from '#web/url-state.ts'
import { providerSignups } from '../addresses.ts'
import { AccountForm } from './AccountForm.tsx'
import css from './signup.module.css'

type Opened = Answer<typeof providerSignups.finish>

/** Page that connects accounts by a provider's login page, and lists the accounts on return. */
export const Signup: ProviderPart = ({ config, tabs }) => {
  const [url, setUrl] = useUrlState()
  const [back] = useState(() => ({ state: url['state'], code: url['code'], error: url['error'] }))
  const [opened, setOpened] = useState<Opened | null>(null)
  const [problem, setProblem] = useState(back.state && !back.code ? t('O login foi interrompido. Comece de novo.') : '')
  const [busy, setBusy] = useState('')
  const isBack = back.state !== undefined && back.code !== undefined
  const { signup, name } = config.settings
  useReturn({ setUrl, isBack, back, setOpened, setProblem })
  return (
    <Page>
      <PageHeader
        title={name}
        icon={<ChannelTile type={firstOf(config.types).type} />}
        facts={t('Conecte contas entrando na página do provedor, sem copiar chaves')}
      />
      {tabs}
      <div className={css.column}>
        <Card title={Object.values(signup?.logins ?? {}).join(' · ')}>
          <Fields>
            <p>
              {t(
                'Uma página do provedor abre nesta janela. Entre, escolha a conta da empresa e o que o Guichê pode usar, e você volta para cá.',
              )}
            </p>
            {problem && <Notice tone="neg">{problem}</Notice>}
            <Logins
              setBusy={setBusy}
              setProblem={setProblem}
              config={config}
              signup={signup}
              opened={opened}
              busy={busy}
              problem={problem}
            />
          </Fields>
        </Card>
        {isBack && !opened && !problem && <SkeletonRows kind="card" rows={2} />}
        {opened?.accounts.map((account) => (
          <AccountForm
            key={account.account}
            signupId={opened.id}
            account={account}
            hasPin={config.businessField !== undefined}
          />
        ))}
      </div>
    </Page>
  )
}

function Logins(props: {
  setBusy: (next: string) => void
  setProblem: (next: string) => void
  config: ProviderOf
  signup: { logins: Readonly<Record<string, string>>; back?: string } | undefined
  opened: Opened | null
  busy: string
  problem: string
}) {
  const { setBusy, setProblem, config, signup, opened, busy, problem } = props
  const begin = async (login: string) => {
    setBusy(login)
    setProblem('')
    try {
      const { url: page } = await call(providerSignups.begin, { body: { provider: config.id, login } }, { quiet: true })
      location.assign(page)
    } catch (error) {
      setProblem(refusalText(error))
      setBusy('')
    }
  }
  return (
    <div className={css.logins}>
      {Object.entries(signup?.logins ?? {}).map(([login, called]) => (
        <BusyButton
          key={login}
          variant={opened ? 'default' : 'filled'}
          busy={busy === login}
          doing={t('Abrindo')}
          onClick={() => busy || void begin(login)}
        >
          {opened || problem
            ? t('Entrar de novo com {name}', { name: called })
            : t('Entrar com {name}', { name: called })}
        </BusyButton>
      ))}
    </div>
  )
}

/** Finishes a login that came back from the provider's page. */
function useReturn({
  setUrl,
  isBack,
  back,
  setOpened,
  setProblem,
}: {
  setUrl: SetUrl
  isBack: boolean
  back: { state: string | undefined; code: string | undefined; error: string | undefined }
  setOpened: (next: Opened | null) => void
  setProblem: (next: string) => void
}) {
  const isTaken = useRef(false)
  useEffect(() => {
    if (isTaken.current) return
    isTaken.current = true
    // The redirect parameters are used once, and removed from URL and history.
    setUrl({
      ...{ aba: 'login', state: undefined, code: undefined },
      ...{ error: undefined, error_reason: undefined, error_code: undefined, error_description: undefined },
    })
    if (isBack)
      call(
        providerSignups.finish,
        { body: { state: back.state!, code: back.code! } },
        { quiet: true, long: true },
      ).then(setOpened, (error: unknown) => setProblem(refusalText(error)))
  }, [setUrl, isBack, back, setOpened, setProblem])
}

/** Returns the display text of a refusal, with the provider's reason. */
function refusalText(error: unknown): string {
  const reason = isApiError(error) && error.code === 'ERR_SIGNUP_REFUSED' ? error.details['reason'] : undefined
  return typeof reason === 'string' ? reason : sentence(error)
}

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
import { useUrlState } from '#web/url-state.ts'
import { providerSignups } from '../addresses.ts'
import { AccountForm } from './AccountForm.tsx'
import css from './signup.module.css'

type Opened = Answer<typeof providerSignups.finish>
type Back = { state: string | undefined; code: string | undefined }

/** Page that connects accounts by a provider's login page, and lists the accounts on return. */
export const Signup: ProviderPart = ({ config, tabs }) => {
  const [url] = useUrlState()
  const [back] = useState<Back>(() => ({ state: url['state'], code: url['code'] }))
  const [opened, setOpened] = useState<Opened | null>(null)
  const [problem, setProblem] = useState(back.state && !back.code ? t('O login foi interrompido. Comece de novo.') : '')
  const isBack = back.state !== undefined && back.code !== undefined
  const { signup, name } = config.settings
  useReturn(back, setOpened, setProblem)
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
            <Logins config={config} opened={opened} problem={problem} setProblem={setProblem} />
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
  config: ProviderOf
  opened: Opened | null
  problem: string
  setProblem: (next: string) => void
}) {
  const { config, opened, problem, setProblem } = props
  const [busy, setBusy] = useState('')
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
      {Object.entries(config.settings.signup?.logins ?? {}).map(([login, called]) => (
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
function useReturn(back: Back, setOpened: (next: Opened) => void, setProblem: (next: string) => void) {
  const [, setUrl] = useUrlState()
  const isTaken = useRef(false)
  useEffect(() => {
    if (isTaken.current) return
    isTaken.current = true
    // The redirect parameters are used once, and removed from URL and history.
    setUrl({
      ...{ aba: 'login', state: undefined, code: undefined },
      ...{ error: undefined, error_reason: undefined, error_code: undefined, error_description: undefined },
    })
    const { state, code } = back
    if (state !== undefined && code !== undefined)
      call(providerSignups.finish, { body: { state, code } }, { quiet: true, long: true }).then(
        setOpened,
        (error: unknown) => setProblem(refusalText(error)),
      )
  }, [setUrl, back, setOpened, setProblem])
}

/** Returns the display text of a refusal, with the provider's reason. */
function refusalText(error: unknown): string {
  const reason = isApiError(error) && error.code === 'ERR_SIGNUP_REFUSED' ? error.details['reason'] : undefined
  return typeof reason === 'string' ? reason : sentence(error)
}

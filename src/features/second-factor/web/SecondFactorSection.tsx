import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { notifyError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { formatDate } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { secondFactor } from '../addresses.ts'
import { Enrolment } from './enrolment.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import css from './second-factor.module.css'

type Doing =
  | { step: 'start' | 'renew' | 'disable' }
  | { step: 'enrol'; secret: string; uri: string }
  | { step: 'codes'; codes: readonly string[] }

/** Section with the user's own second factor: enable, recovery codes, change app, disable. */
export function SecondFactorSection() {
  const { data, error, refetch } = useQuery(query(secondFactor.get))
  const [doing, setDoing] = useState<Doing>()
  const quiet = { quiet: true }
  const close = () => setDoing(undefined)

  const start = async (password: string) => {
    const made = await call(secondFactor.start, { body: { password } }, quiet)
    setDoing({ step: 'enrol', ...made })
  }
  const confirm = async (code: string) => {
    const { recoveryCodes } = await call(secondFactor.confirm, { body: { code } }, quiet)
    setDoing({ step: 'codes', codes: recoveryCodes })
  }
  const renew = async (password: string) => {
    const { recoveryCodes } = await call(secondFactor.renewCodes, { body: { password } }, quiet)
    setDoing({ step: 'codes', codes: recoveryCodes })
  }
  const disable = async (password: string) => {
    await call(secondFactor.disable, { body: { password } }, quiet)
    close()
    notify({ tone: 'pos', title: t('Segundo fator desligado') })
  }

  const steps: Record<Doing['step'], () => ReactNode> = {
    start: () => (
      <PasswordForm
        text={t('Confirme que é você antes de ligar um aplicativo à sua conta.')}
        action={t('Continuar')}
        doing={t('Conferindo')}
        run={start}
        onCancel={close}
      />
    ),
    renew: () => (
      <PasswordForm
        text={t('Os códigos de recuperação que você guardou deixam de valer.')}
        action={t('Gerar novos códigos')}
        doing={t('Gerando')}
        run={renew}
        onCancel={close}
      />
    ),
    disable: () => (
      <PasswordForm
        text={t('A senha volta a bastar para entrar, e os códigos de recuperação deixam de valer.')}
        action={t('Desligar segundo fator')}
        doing={t('Desligando')}
        isDangerous
        run={disable}
        onCancel={close}
      />
    ),
    enrol: () =>
      doing?.step === 'enrol' && (
        <Enrolment secret={doing.secret} uri={doing.uri} confirm={confirm} onFailure={notifyError} onCancel={close} />
      ),
    codes: () => doing?.step === 'codes' && <RecoveryCodes codes={doing.codes} onDone={close} />,
  }

  return (
    <Card
      title={t('Segundo fator')}
      actions={data && <Pill tone={data.isOn ? 'pos' : 'plain'}>{data.isOn ? t('Ligado') : t('Desligado')}</Pill>}
    >
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={1} />}
      {data && doing && steps[doing.step]()}
      {data && !doing && (
        <div className={css.state}>
          <p>
            {data.isOn
              ? t('Ligado em {date}. Além da senha, você confirma com um código do celular.', {
                  date: formatDate(data.since as string),
                })
              : t('Além da senha, um código do celular. Quem descobrir a sua senha não entra.')}
          </p>
          {data.isOn && data.recoveryLeft < 3 && (
            <Notice tone="warn">
              {data.recoveryLeft === 0
                ? t('Você não tem mais códigos de recuperação. Gere novos.')
                : t('Restam {left}.', {
                    left: plural(data.recoveryLeft, 'código de recuperação', 'códigos de recuperação'),
                  })}
            </Notice>
          )}
          {data.isOn && data.recoveryLeft >= 3 && (
            <p>
              {t('Restam {left}.', {
                left: plural(data.recoveryLeft, 'código de recuperação', 'códigos de recuperação'),
              })}
            </p>
          )}
          {!data.isOn && data.isRequired && (
            <Notice tone="info">{t('A sua empresa exige: na próxima entrada com senha ele será configurado.')}</Notice>
          )}
          <div className={css.actions}>
            {!data.isOn && <Button onClick={() => setDoing({ step: 'start' })}>{t('Ligar segundo fator')}</Button>}
            {data.isOn && (
              <>
                <Button variant="default" onClick={() => setDoing({ step: 'renew' })}>
                  {t('Novos códigos de recuperação')}
                </Button>
                <Button variant="default" onClick={() => setDoing({ step: 'start' })}>
                  {t('Trocar de aplicativo')}
                </Button>
                {!data.isRequired && (
                  <Button variant="subtle" color="neg" onClick={() => setDoing({ step: 'disable' })}>
                    {t('Desligar')}
                  </Button>
                )}
              </>
            )}
          </div>
        </div>
      )}
    </Card>
  )
}

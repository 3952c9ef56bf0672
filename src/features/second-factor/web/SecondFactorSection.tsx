import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '#kit/contract.ts'
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

type FirstStep = 'start' | 'renew' | 'disable'

type Doing =
  | { step: FirstStep }
  | { step: 'enrol'; secret: string; uri: string }
  | { step: 'codes'; codes: readonly string[] }

/** Section with the user's own second factor: enable, recovery codes, change app, disable. */
export function SecondFactorSection() {
  const { data, error, refetch } = useQuery(query(secondFactor.get))
  const [doing, setDoing] = useState<Doing>()

  return (
    <Card
      title={t('Segundo fator')}
      actions={data && <Pill tone={data.isOn ? 'pos' : 'plain'}>{data.isOn ? t('Ligado') : t('Desligado')}</Pill>}
    >
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={1} />}
      {data && doing && <Step doing={doing} onNext={setDoing} onClose={() => setDoing(undefined)} />}
      {data && !doing && <State factor={data} onStep={(step) => setDoing({ step })} />}
    </Card>
  )
}

const passwordForms = {
  start: {
    text: t('Confirme que é você antes de ligar um aplicativo à sua conta.'),
    action: t('Continuar'),
    doing: t('Conferindo'),
    isDangerous: false,
  },
  renew: {
    text: t('Os códigos de recuperação que você guardou deixam de valer.'),
    action: t('Gerar novos códigos'),
    doing: t('Gerando'),
    isDangerous: false,
  },
  disable: {
    text: t('A senha volta a bastar para entrar, e os códigos de recuperação deixam de valer.'),
    action: t('Desligar segundo fator'),
    doing: t('Desligando'),
    isDangerous: true,
  },
} as const

/** Step of a change: the password first, then the app or the codes. */
function Step(props: { doing: Doing; onNext: (doing: Doing) => void; onClose: () => void }) {
  const { doing, onNext, onClose } = props
  const start = async (password: string) => {
    const made = await call(secondFactor.start, { body: { password } }, { quiet: true })
    onNext({ step: 'enrol', ...made })
  }
  const confirm = async (code: string) => {
    const { recoveryCodes } = await call(secondFactor.confirm, { body: { code } }, { quiet: true })
    onNext({ step: 'codes', codes: recoveryCodes })
  }
  const renew = async (password: string) => {
    const { recoveryCodes } = await call(secondFactor.renewCodes, { body: { password } }, { quiet: true })
    onNext({ step: 'codes', codes: recoveryCodes })
  }
  const disable = async (password: string) => {
    await call(secondFactor.disable, { body: { password } }, { quiet: true })
    onClose()
    notify({ tone: 'pos', title: t('Segundo fator desligado') })
  }
  if (doing.step === 'codes') return <RecoveryCodes codes={doing.codes} onDone={onClose} />
  if (doing.step === 'enrol')
    return (
      <Enrolment secret={doing.secret} uri={doing.uri} confirm={confirm} onFailure={notifyError} onCancel={onClose} />
    )
  const run = { start, renew, disable }[doing.step]
  return <PasswordForm {...passwordForms[doing.step]} run={run} onCancel={onClose} />
}

type Factor = Answer<typeof secondFactor.get>

/** State of the second factor, with what can be done. */
function State({ factor, onStep }: { factor: Factor; onStep: (step: FirstStep) => void }) {
  return (
    <div className={css.state}>
      <p>
        {factor.isOn
          ? t('Ligado em {date}. Além da senha, você confirma com um código do celular.', {
              date: formatDate(factor.since as string),
            })
          : t('Além da senha, um código do celular. Quem descobrir a sua senha não entra.')}
      </p>
      {factor.isOn && factor.recoveryLeft < 3 && (
        <Notice tone="warn">
          {factor.recoveryLeft === 0
            ? t('Você não tem mais códigos de recuperação. Gere novos.')
            : t('Restam {left}.', {
                left: plural(factor.recoveryLeft, 'código de recuperação', 'códigos de recuperação'),
              })}
        </Notice>
      )}
      {factor.isOn && factor.recoveryLeft >= 3 && (
        <p>
          {t('Restam {left}.', {
            left: plural(factor.recoveryLeft, 'código de recuperação', 'códigos de recuperação'),
          })}
        </p>
      )}
      {!factor.isOn && factor.isRequired && (
        <Notice tone="info">{t('A sua empresa exige: na próxima entrada com senha ele será configurado.')}</Notice>
      )}
      <Actions factor={factor} onStep={onStep} />
    </div>
  )
}

/** Buttons of the changes that are possible. */
function Actions({ factor, onStep }: { factor: Factor; onStep: (step: FirstStep) => void }) {
  return (
    <div className={css.actions}>
      {!factor.isOn && <Button onClick={() => onStep('start')}>{t('Ligar segundo fator')}</Button>}
      {factor.isOn && (
        <>
          <Button variant="default" onClick={() => onStep('renew')}>
            {t('Novos códigos de recuperação')}
          </Button>
          <Button variant="default" onClick={() => onStep('start')}>
            {t('Trocar de aplicativo')}
          </Button>
          {!factor.isRequired && (
            <Button variant="subtle" color="neg" onClick={() => onStep('disable')}>
              {t('Desligar')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { attempt } from '#web/attempt.ts'
import { query } from '#web/client.ts'
import { savePreferences, usePreferences } from '#web/preferences.ts'
import { t } from '#web/t.ts'
import { CloseIcon, PositiveIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { guide } from '../addresses.ts'
import type { Step } from '../contract.ts'
import css from './first-steps.module.css'

type Text = { title: string; text: string; action: string; to: string; search?: Record<string, string> }

const texts: Record<Step, Text> = {
  channel: {
    title: t('Conectar um canal'),
    text: t('WhatsApp, Instagram, e-mail ou o chat do site: por onde os clientes escrevem.'),
    action: t('Adicionar canal'),
    to: '/sessoes',
    search: { id: 'novo' },
  },
  people: {
    title: t('Convidar a equipe'),
    text: t('Cada pessoa recebe um link e escolhe a própria senha.'),
    action: t('Convidar pessoas'),
    to: '/usuarios',
  },
  hours: {
    title: t('Definir o horário'),
    text: t('Fora dele, quem escreve recebe a mensagem de ausência.'),
    action: t('Definir horário'),
    to: '/horario-atendimento',
  },
  bot: {
    title: t('Criar o primeiro chatbot'),
    text: t('Comece por um modelo: menu, horário ou perguntas frequentes.'),
    action: t('Criar chatbot'),
    to: '/chat-flow',
    search: { id: 'novo' },
  },
  trial: {
    title: t('Experimentar no laboratório'),
    text: t('Escreva num telefone virtual e responda como a equipe. Não precisa de conta nenhuma.'),
    action: t('Abrir o laboratório'),
    to: '/laboratorio',
  },
  presence: {
    title: t('Ficar online'),
    text: t('Só quem está online recebe atendimentos da distribuição.'),
    action: t('Ver meu perfil'),
    to: '/perfil',
  },
  signature: {
    title: t('Escrever sua assinatura'),
    text: t('Seu nome e sua área aparecem no início das mensagens.'),
    action: t('Escrever assinatura'),
    to: '/perfil',
  },
  notices: {
    title: t('Ligar os avisos'),
    text: t('O computador avisa quando chega mensagem e a página está fechada.'),
    action: t('Ligar avisos'),
    to: '/perfil',
  },
  reply: {
    title: t('Criar uma mensagem rápida'),
    text: t('Um texto pronto que sai com a barra e um atalho.'),
    action: t('Criar mensagem'),
    to: '/mensagens-rapidas',
  },
  answer: {
    title: t('Responder a um cliente'),
    text: t('Atenda uma conversa de Pendentes e escreva a primeira resposta.'),
    action: t('Ver pendentes'),
    to: '/atendimento',
    search: { tab: 'pending' },
  },
}

/** Card of the user's first steps with progress, until all are done or the card is dismissed. */
export function FirstSteps() {
  const { hidesFirstSteps } = usePreferences()
  const { data } = useQuery({ ...query(guide.steps), enabled: !hidesFirstSteps, staleTime: 0 })
  const steps = data?.steps ?? []
  const done = steps.filter(({ isDone }) => isDone).length
  if (hidesFirstSteps || done === steps.length) return null
  const next = steps.find(({ isDone }) => !isDone)
  const dismiss = () =>
    attempt(() => savePreferences({ hidesFirstSteps: true }), t('Cartão fechado. As telas continuam no menu.'))
  return (
    <section className={css.card} aria-label={t('Primeiros passos')}>
      <header>
        <h2>{t('Primeiros passos')}</h2>
        <span>{t('{done} de {all}', { done, all: steps.length })}</span>
        <IconButton aria-label={t('Fechar os primeiros passos')} onClick={() => void dismiss()}>
          <CloseIcon size={18} />
        </IconButton>
      </header>
      <ol>
        {steps.map(({ step, isDone }) => (
          <li key={step} data-done={isDone || undefined}>
            <span className={css.mark}>{isDone && <PositiveIcon size={20} />}</span>
            <div>
              <b>{texts[step].title}</b>
              {isDone ? <span className="g-hidden">{t('feito')}</span> : <p>{texts[step].text}</p>}
            </div>
            {!isDone && (
              <Button
                component={Link}
                to={texts[step].to}
                search={(texts[step].search ?? {}) as never}
                size="xs"
                variant={step === next?.step ? 'filled' : 'default'}
              >
                {texts[step].action}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

import { render } from 'preact'
import type { WebchatConfig } from '#features/webchat/contract.ts'
import type { ToFrame } from '../protocol.ts'
import { App } from './App.tsx'
import { createApi } from './api.ts'
import { createChat } from './chat.ts'
import { unread } from './conversation.ts'
import { speak, spoken, t } from './labels.ts'
import { matches } from './mask.ts'
import { meetPage } from './page.ts'
import { createStore } from './store.ts'
import './style.css'

const token = new URLSearchParams(location.search).get('token') ?? ''

/** Reads the channel's config; retries until there is an answer, or a refusal. */
async function findConfig(): Promise<WebchatConfig | null> {
  for (let wait = 2000; ; wait = Math.min(60_000, wait * 2)) {
    const answer = await createApi(() => null).get<WebchatConfig>(`config?token=${encodeURIComponent(token)}`)
    if (answer.ok) return answer.value
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) return null
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

async function start(): Promise<void> {
  const queued: ToFrame[] = []
  let receive = (message: ToFrame): void => {
    queued.push(message)
  }
  const [page, config] = await Promise.all([meetPage((message) => receive(message)), findConfig()])
  if (!config) return
  const root = document.documentElement
  if (config.color) root.style.setProperty('--q-primary', config.color)
  root.lang = speak(config.locale, navigator.languages) === 'pt' ? 'pt-BR' : spoken()
  if (config.theme !== 'auto') root.style.colorScheme = config.theme
  document.title = t(config.title)

  const store = createStore(token, page)
  const chat = createChat(token, config, store, page)
  receive = (message) => {
    if (message.type === 'guiche:shown') chat.show(message.open, message.full, message.focus)
    else if (message.type === 'guiche:user') chat.identify(message.user)
    else if (message.type === 'guiche:attributes') chat.describe(message.attributes)
    else if (message.type === 'guiche:stored') store.accept(message.key, message.value)
    else if (message.type === 'guiche:reset') {
      chat.forget()
      store.set('outbox', null)
      store.set('draft', null)
      location.reload()
    }
  }
  queued.forEach(receive)

  let reported = 0
  chat.state.follow(({ items }) => {
    const count = unread(items).length
    if (count !== reported) page.post({ type: 'guiche:unread', count })
    reported = count
  })
  const close = page.isAlone ? null : () => page.post({ type: 'guiche:close' })
  render(<App chat={chat} close={close} />, document.body)
  const labels = {
    title: t('Conversa com {name}', { name: document.title }),
    ...{ open: t('Abrir conversa'), close: t('Fechar conversa') },
    ...{ one: t('{n} mensagem nova'), many: t('{n} mensagens novas') },
  }
  page.post({ type: 'guiche:ready', labels, color: config.color, position: config.position })
  chat.begin()
  for (const { path, seconds } of config.openings)
    if (matches(path, page.url)) setTimeout(() => page.post({ type: 'guiche:open' }), seconds * 1000)

  const view = window.visualViewport
  if (page.isAlone && view)
    view.addEventListener('resize', () => root.style.setProperty('--height', `${view.height}px`))
}

start()

import { css } from './loader-style.ts'
import type { Labels } from './protocol.ts'

const CHAT = ['M12 3a9 9 0 0 1 9 9v7a2 2 0 0 1-2 2h-7a9 9 0 0 1 0-18z', 'M8.5 10.5h7', 'M8.5 14h4.5']
const CLOSE = ['M6 6l12 12', 'M18 6L6 18']

/** Outline drawing of 24 × 24; built node by node, because strict pages forbid markup from strings. */
function icon(paths: readonly string[]): SVGSVGElement {
  const make = <K extends keyof SVGElementTagNameMap>(name: K) =>
    document.createElementNS('http://www.w3.org/2000/svg', name)
  const svg = make('svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  for (const d of paths) {
    const path = make('path')
    path.setAttribute('d', d)
    svg.append(path)
  }
  return svg
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

/** Builds the launcher and the frame in their shadow root, without a rule or attribute that a strict CSP refuses. */
export function build() {
  const host = element('div', { id: 'guiche-webchat' })
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]

  const box = element('div', {})
  const button = element('button', { class: 'go', type: 'button', 'aria-controls': 'chat', 'aria-haspopup': 'dialog' })
  const frame = element('iframe', { id: 'chat', title: 'Conversa' })
  const badge = element('span', { class: 'badge', 'aria-hidden': 'true' })
  const teaser = element('div', { class: 'visually-hidden', role: 'status' })
  button.hidden = true
  box.append(button, frame, teaser)
  root.append(box)

  /** Draws the state: open or not, and the number of unread messages. */
  const draw = (isOpen: boolean, unread: number, labels: Labels): void => {
    const messages = (unread === 1 ? labels.one : labels.many).replace('{n}', String(unread))
    const label = unread ? `${labels.open}, ${messages}` : labels.open
    box.classList.toggle('open', isOpen)
    button.hidden = false
    button.setAttribute('aria-expanded', String(isOpen))
    button.setAttribute('aria-label', isOpen ? labels.close : label)
    button.replaceChildren(icon(isOpen ? CLOSE : CHAT))
    badge.textContent = unread > 99 ? '99+' : String(unread)
    if (unread && !isOpen) button.append(badge)
    teaser.textContent = unread && !isOpen ? messages : ''
  }
  return { host, root, box, button, frame, draw }
}

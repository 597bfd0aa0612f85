// A store whose every text tries to become more than text.
const rtl = '\u202e', zero = '\u200b'
const long = 'A'.repeat(4000) // the longest name that the settings allow
const text = 'A'.repeat(30_000)
const link = 'javascript:alert(document.domain)'

export const hostile = [
  ['store_episode', { content: `<script>alert(1)</script> <img src=x onerror=alert(2)> [click](${link}) ${rtl}drow${zero} ` +
    'http://evil.example/ </mark></p><style>body{display:none}</style>', role: 'user', occurred_at: '2026-03-01T09:00:00Z',
    speaker: '<b onmouseover=alert(3)>Eve</b>', session_id: '"><script>alert(4)</script>', relations: [
      { head: '<script>alert(5)</script>', relation: 'likes', tail: link },
      { head: '<script>alert(5)</script>', relation: 'knows', tail: `${rtl}evil${zero}name` },
      { head: '<script>alert(5)</script>', relation: 'uses', tail: long },
    ] }],
  ['update_entity', { entity: '<script>alert(5)</script>', description: `<iframe src="${link}"></iframe>`.repeat(50),
    add_aliases: ['<svg onload=alert(6)>', `\u2066${rtl}alias`] }],
  ['update_entity', { entity: long, description: text }],
  ['store_episode', { content: text + ' ' + '\u{1f469}\u200d\u{1f680}'.repeat(5000), role: 'user' }],
  ['supersede', { relationship_id: 'r1', reason: '<img src=x onerror=alert(7)>' }],
]

/** texts must be on the page of the entity as they are. */
export const texts = ['<script>alert(5)</script>', link, '<img src=x onerror=alert(2)>', '</mark></p><style>body{display:none}</style>']

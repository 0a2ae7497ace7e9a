/**
 * What one letter of a campaign says about its person, for a query of touches. The index touches_say is of this expression: a
 * change of it needs another index (migrations).
 */
export const letterSays = `case when state = 'sent' then 'sent'
  when state in ('queued', 'review') and held_from is not null then 'held'
  when state <> 'failed' then 'waiting'
  when reason in ('bounced', 'unsubscribed') then reason
  when reason in ('replied', 'done', 'skipped', 'left_segment') then 'ended'
  else 'failed' end`

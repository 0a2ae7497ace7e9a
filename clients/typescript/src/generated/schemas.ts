// Made from the OpenAPI document of Postroom 0.4.0 by `npm run clients`: do not edit. One file, because it is one
// document.
// Of the document f42e3f548a5ffbece01f1a682748e6e8a3b232ddeaaca81efe65108d320d9dac.

export interface components {
    schemas: {
        AccountHealth: {
            /**
             * @description The level of its worst signal.
             *
             *     - `normal`: nothing is wrong.
             *     - `caution`: there is a problem: its limits are halved.
             *     - `restricted`: no campaign letter goes through it.
             *     - `blocked`: it cannot be used, or must not be.
             *     - `unknown`: it has not been checked yet.
             */
            level: string;
            /** @description How many letters may be sent, given its health. */
            limits: components["schemas"]["SendingBudget"];
            /** @description The signals that determine the health of the account. */
            signals: components["schemas"]["HealthSignal"][];
            /** @description The keys of the signals that lower its health. */
            weakest: string[];
        };
        Agent: {
            /** @description The ids of the connections it writes through; empty means all channels of its people. */
            channels: string[];
            /** @description The id of the company on whose behalf it writes. */
            company: string;
            /** @description Whether it writes at all. */
            enabled: boolean;
            /** @description Its goal; an instruction to the writer. */
            goal: string;
            /** @description When it works. */
            hours: components["schemas"]["Hours"];
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description What it may use when it writes. */
            knowledge: string;
            /** @description The ids of the products it handles; empty means all. */
            labels: string[];
            /** @description The name of the agent. */
            name: string;
            /** @description The rules for everything it writes. */
            rules: string;
        };
        AgentList: {
            /** @description All agents of the workspace. */
            agents: components["schemas"]["Agent"][];
            /** @description Always null: this list answers everything at once. */
            next: string | null;
        };
        AgentUpdate: {
            /** @description The ids of the connections it writes through; an empty list means all channels of its people. */
            channels?: string[] | null;
            /** @description Whether it writes at all. */
            enabled?: boolean | null;
            /** @description Its goal; an instruction to the writer. */
            goal?: string | null;
            /** @description When it works; members that are left out keep their values. */
            hours?: components["schemas"]["HoursUpdate"] | null;
            /** @description What it may use when it writes. */
            knowledge?: string | null;
            /** @description The products it handles, by id or exact name; an empty list means all. */
            labels?: string[] | null;
            /** @description The rules for everything it writes. */
            rules?: string | null;
        };
        Application: {
            /** @description The id of the application. */
            id: string;
            /** @description The name of the application. */
            name: string;
        };
        Archive: {
            /** @description The ids of the connections whose history is parsed. */
            channels: string[];
            /** @description When the parse ended; null until then. */
            endedAt: string | null;
            /** @description Whether correspondence is parsed for new products too. */
            fresh: boolean;
            /** @description Whether messenger groups are included. */
            groups: boolean;
            /** @description The key of the call that started it; null if none did. */
            operation: string | null;
            /** @description The progress of the parse. */
            progress: components["schemas"]["ArchiveProgress"];
            /** @description The first day whose correspondence is parsed; null for all. */
            since: string | null;
            /** @description When the parse started; null until then. */
            startedAt: string | null;
            /**
             * @description The state of the parse.
             *
             *     - `none`: it has not been started.
             *     - `running`: it is in progress.
             *     - `done`: everything has been parsed.
             *     - `declined`: it was declined, or stopped before its end.
             */
            state: string;
        };
        ArchiveChange: {
            /** @description The ids of the connections to parse; by default all that keep a history. */
            channels?: string[] | null;
            /**
             * @description The action.
             *
             *     - `start`: parse the archive.
             *     - `decline`: do not parse it, or stop a running parse.
             * @enum {string}
             */
            do: "start" | "decline";
            /** @description Whether to parse for new products too; by default false. */
            fresh?: boolean | null;
            /** @description Whether to include messenger groups; by default false. */
            groups?: boolean | null;
            /** @description Parse correspondence from this day on, as YYYY-MM-DD; by default everything. */
            since?: string | null;
        };
        ArchiveProgress: {
            /** @description The number of parsed messages. */
            done: number;
            /** @description The number of messages in all; null while unknown. */
            total: number | null;
        };
        Attachment: {
            /** @description The name by which the HTML of the message refers to it (`cid:`); null otherwise. */
            cid: string | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The name of the file, as its sender gave it. */
            name: string;
            /** @description The size in bytes. */
            size: number;
            /** @description The media type, as its sender gave it. */
            type: string;
        };
        AttachmentList: {
            /** @description All files of the message. */
            files: components["schemas"]["Attachment"][];
            /** @description Always null: this list answers everything at once. */
            next: string | null;
        };
        AuditEntry: {
            /** @description What was done, such as `campaign.edited`, or `access.opened` when a token is created. */
            action: string;
            /** @description The new values of the changed members; null if nothing is left. */
            after: unknown;
            /** @description When it was done. */
            at: string;
            /** @description The old values of the changed members; null if there was nothing before. */
            before: unknown;
            /** @description The application whose token was used; its members are empty if it was not done by a call. */
            client: components["schemas"]["Application"];
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The `Idempotency-Key` of the call; empty if it was not done by a call. */
            key: string;
            /** @description The member whose token was used; empty if it was not done by a call. */
            member: string;
            /** @description The id of what was changed. */
            resource: string;
        };
        AuditEntryList: {
            /** @description The entries, newest first: one for each executed change. */
            entries: components["schemas"]["AuditEntry"][];
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
        };
        BilledAccount: {
            /** @description The address of the account. */
            account: string;
            /** @description The kind of the connection, such as `email`. */
            channel: string;
            /** @description The id of the connection. */
            connection: string;
        };
        Billing: {
            /** @description The accounts it covers. */
            accounts: components["schemas"]["BilledAccount"][];
            /** @description The subscription of the workspace, as the operator has recorded it. */
            subscription: components["schemas"]["Subscription"];
        };
        BillingPeriod: {
            /** @description Its first day; empty if unknown. */
            from: string;
            /** @description Its last day; empty if unknown. */
            to: string;
        };
        Calendar: {
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The id of the member whose calendar it is. */
            member: string;
            /** @description The name of the calendar. */
            name: string;
        };
        CalendarView: {
            /** @description The calendars of the workspace. */
            calendars: components["schemas"]["Calendar"][];
            /** @description The meetings of the period, without those that were cancelled. */
            meetings: components["schemas"]["Meeting"][];
            /** @description Always null: this list answers everything at once. */
            next: string | null;
        };
        Campaign: {
            /** @description Instructions for every letter, in addition to those of the agent. */
            addRules: string[];
            /** @description The id of the agent that writes; empty while none is set. */
            agent: string;
            /** @description What the campaign should achieve. An instruction to the writer that is never quoted to clients. */
            goal: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The kind of campaign; `outreach` is the only one. */
            kind: string;
            /** @description Texts that the letters rely on. */
            materials: components["schemas"]["Material"][];
            /** @description What it still needs; empty when it is complete. */
            missing: components["schemas"]["MissingPart"][];
            /** @description The name; by default the goal. */
            name: string;
            /** @description The number of people in its segment. */
            people: number;
            /** @description How many letters it has for each person: 1, 2 or 3. */
            places: number;
            /** @description How many people it has reached. */
            progress: components["schemas"]["CampaignProgress"];
            /** @description The same instructions as `addRules`. */
            rules: string[];
            /** @description The id of the segment it writes to; empty while none is set. */
            segment: string;
            /** @description The ids of the connections it sends through. If empty, it uses those of the agent, or else all working e-mail accounts. */
            senders: string[];
            /** @description Whether a letter may be sent now, and if not, what holds it up. */
            sending: components["schemas"]["CampaignSending"];
            /**
             * @description The state of the campaign.
             *
             *     - `draft`: it has not started and writes to nobody.
             *     - `running`: it sends letters.
             *     - `paused`: it writes to nobody until it is resumed.
             *     - `done`: it has ended for good.
             */
            state: string;
            /** @description How long the campaign is likely to take. */
            term: components["schemas"]["CampaignTerm"];
            /** @description The weekdays between each letter after the first and the one before it, an entry for each. */
            waitDays: number[];
        };
        CampaignDetails: {
            /** @description The campaign. */
            campaign: components["schemas"]["Campaign"];
            /** @description The numbers of letters and people in each state. */
            funnel: components["schemas"]["Funnel"];
            /** @description The example letters, in order of place. */
            letters: components["schemas"]["Letter"][];
            /** @description The templates that letters are made from, in order of place and variant. */
            templates: components["schemas"]["Template"][];
            /** @description The numbers of each variant of letters that are made from templates. */
            variants: components["schemas"]["VariantNumbers"][];
        };
        CampaignList: {
            /** @description The campaigns, newest first. */
            campaigns: components["schemas"]["Campaign"][];
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
        };
        CampaignPerson: {
            /** @description When it came about: when the letter was sent, or the first reply or report was received. For a held or queued letter, when it is or was due. */
            at: string;
            /** @description The id of the conversation with the reply or the letter; null if there is none. */
            conversation: string | null;
            /** @description The name; empty if it is not known. */
            name: string;
            /**
             * @description The outcome that was asked for, or the one that went furthest.
             *
             *     - `skipped`: the letters were not needed any more before one was sent.
             *     - `queued`: no letter was sent yet.
             *     - `failed`: a letter could not be sent.
             *     - `held`: a letter waits because the letters to the person are held.
             *     - `sent`: a letter was sent.
             *     - `replied`: the person has replied since the first letter, not automatically.
             *     - `interested`: the person has replied, and is interested or wants to meet.
             *     - `declined`: the person has replied that they are not interested, or unsubscribed after a letter.
             *     - `bounced`: a letter bounced, or none is sent because another one did.
             *     - `unsubscribed`: the person has unsubscribed.
             */
            outcome: string;
            /** @description The id of the person. */
            person: string;
            /** @description The place of the letter that it is about: for a reply, the last one before it. */
            place: number;
        };
        CampaignPersonList: {
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description The people, in order of their ids. */
            people: components["schemas"]["CampaignPerson"][];
        };
        CampaignProgress: {
            /** @description People who have replied that they are not interested. */
            declined: number;
            /** @description People who have replied that they are interested, or ask for an offer or a meeting. */
            interested: number;
            /** @description People with whom a meeting was arranged. */
            meetings: number;
            /** @description People in its segment. */
            people: number;
            /** @description People who have replied since. */
            replied: number;
            /** @description People who have received at least one letter. */
            written: number;
        };
        CampaignSending: {
            /**
             * @description What holds up the letters; null when nothing does.
             *
             *     - `draft`: the campaign has not started.
             *     - `paused`: it is paused.
             *     - `done`: it has ended.
             *     - `held`: an operator or the administration holds the workspace, or the accounts: `held` says why.
             *     - `weekend`: it is the weekend, and letters go on weekdays only.
             *     - `hours`: it is outside the agent's hours.
             *     - `day_limit`: the accounts have reached the day's limit.
             *     - `week_limit`: the accounts have reached the week's limit.
             *     - `gap`: the gap between two letters of an account has not passed yet.
             *     - `review`: letters wait until their place is agreed.
             *     - `letter_not_agreed`: the letters that follow are of a place that is not agreed.
             *     - `health`: the health of the accounts does not allow campaign letters.
             *     - `no_sender`: there is no working account to send from.
             *     - `no_agent`: there is no enabled agent.
             *     - `provider`: the account's server cannot be reached, or its mailbox has not been read completely.
             *     - `nobody_left`: everybody has been written to.
             */
            blockedBy: string | null;
            /** @description When today's hours end; null outside them. */
            endsAt: string | null;
            /** @description The letters that were refused or came back and were not sent anew; absent if there are none. */
            failed?: components["schemas"]["FailedLetters"];
            /** @description The hold, where `blockedBy` is `held`; absent otherwise. */
            held?: components["schemas"]["HoldReason"];
            /** @description When this changes by itself; null if somebody has to act. */
            nextAt: string | null;
            /** @description Whether a letter may be sent now. */
            now: boolean;
        };
        CampaignStateChange: {
            /**
             * @description The new state.
             *
             *     - `running`: start or resume it.
             *     - `paused`: write to nobody until it is resumed.
             *     - `done`: end it for good.
             * @enum {string}
             */
            to: "running" | "paused" | "done";
        };
        CampaignTerm: {
            /** @description Whether these are estimates. */
            approx: boolean;
            /** @description The day on which everybody will have received it, as YYYY-MM-DD. */
            ends: string;
            /** @description The number of weeks until everybody has received the first letter. */
            weeks: number;
        };
        CampaignUpdate: {
            /** @description Instructions for every letter; they are added to those it has. */
            addRules?: string[] | null;
            /** @description The id of the agent that writes. */
            agent?: string | null;
            /** @description What the campaign should achieve. An instruction to the writer that is never quoted to clients. */
            goal?: string | null;
            /** @description Texts that the letters rely on; they replace those it has. */
            materials?: components["schemas"]["NewMaterial"][] | null;
            /** @description The name. */
            name?: string | null;
            /** @description How many letters it has for each person: 1, 2 or 3, which is the default. */
            places?: number | null;
            /** @description All instructions for every letter; they replace those it has. */
            rules?: string[] | null;
            /** @description The id of the segment it writes to; can be changed only in a draft or while paused. */
            segment?: string | null;
            /** @description The ids of the connections it sends through; an empty list means those of the agent. */
            senders?: string[] | null;
            /** @description The weekdays between each letter after the first and the one before it, from 1 to 60, an entry for each; by default 3 before the second letter and 5 before the third. */
            waitDays?: number[] | null;
        };
        Candidate: {
            /** @description The address. */
            account: string;
            /** @description The id of the person or of the connection; null if the address is on no card. */
            id: string | null;
            /** @description The name; empty if it is not known. */
            name: string;
        };
        ChangedCampaign: {
            /** @description The campaign. */
            campaign: components["schemas"]["Campaign"];
            /** @description The numbers of letters and people in each state. */
            funnel: components["schemas"]["Funnel"];
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The example letters, in order of place. */
            letters: components["schemas"]["Letter"][];
            /**
             * @description The state of the campaign.
             *
             *     - `draft`: it has not started and writes to nobody.
             *     - `running`: it sends letters.
             *     - `paused`: it writes to nobody until it is resumed.
             *     - `done`: it has ended for good.
             */
            state: string;
            /** @description The templates that letters are made from, in order of place and variant. */
            templates: components["schemas"]["Template"][];
            /** @description The numbers of each variant of letters that are made from templates. */
            variants: components["schemas"]["VariantNumbers"][];
        };
        ChangedRouting: {
            /** @description Whether new conversations get an owner automatically. */
            enabled: boolean;
            /** @description The id of the rule that was added; absent if none was. */
            rule?: string;
            /** @description The rules in order; the first one that matches decides. */
            rules: components["schemas"]["RoutingRule"][];
        };
        Channel: {
            /** @description The address of the account. */
            account: string;
            /** @description Whether it works, as far as is known: false if the last check could not log in, and until its owner consents. `problem` says why. */
            alive: boolean;
            /** @description When it was last checked; null before the first check. */
            checkedAt: string | null;
            /** @description How many folders of its mailbox are read; null before the first one is, or if it has no mailbox that is read. */
            folders: number | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /**
             * @description The kind of account.
             *
             *     - `email`: an e-mail account.
             *     - `professional_network`: an account of a professional network.
             *     - `messenger`: an account of a messenger.
             */
            kind: string;
            /** @description The id of the member whose account it is. */
            member: string;
            /** @description The name of the connection. */
            name: string;
            /** @description The problem with it, as a stable code such as `smtp_unreachable`, `imap_login_refused` or `consent_needed` (see `POST /channels/{id}/connect`); while the account rests, its cause: `smtp_quota`, `smtp_rate`, `smtp_sessions`, `smtp_sender_refused`, `smtp_disabled`, `smtp_unpaid` or `smtp_refusing`; while its mailbox cannot be read, why: `imap_login_refused`, `imap_throttled`, `imap_too_many_sessions`, `imap_bandwidth`, `imap_unavailable`, `imap_unreachable`, `imap_incomplete` or `imap_folder`; null if there is none. */
            problem: string | null;
            /** @description When all folders of its mailbox were last known to be read to their ends; null if they never were, or it has no mailbox that is read. */
            readAt: string | null;
            /** @description Until when the account rests because of what its provider has said; null if it does not rest, or rests until somebody acts. */
            restsUntil: string | null;
        };
        ChannelList: {
            /** @description All connections of the workspace. */
            channels: components["schemas"]["Channel"][];
            /** @description Always null: this list answers everything at once. */
            next: string | null;
        };
        CleanedAddress: {
            /** @description The text that was given. */
            given: string;
            /** @description What is no part of the address, in words. */
            leftOut: string;
            /** @description Where the address stands in the call. */
            pointer: string;
            /** @description The address that was read. */
            read: string;
        };
        CleanedCell: {
            /** @description The heading of the column. */
            column: string;
            /** @description What stands in the cell, up to 200 characters. */
            given: string;
            /** @description What is no part of the address, in words. */
            leftOut: string;
            /** @description The address that was read. */
            read: string;
            /** @description The row of the file. */
            row: number;
        };
        ColumnChoice: {
            /**
             * @description What the column holds; null leaves it out.
             *
             *     - `name`: the whole name.
             *     - `firstName`: the first name.
             *     - `lastName`: the last name.
             *     - `email`: e-mail addresses.
             *     - `phone`: phone numbers.
             *     - `linkedin`: the profile address.
             *     - `company`: the company.
             *     - `city`: the city.
             *     - `jobTitle`: the job title.
             *     - `externalId`: the id that your own system gives the person.
             *     - `unsubscribed`: that the person wants no letters: anything but a no in it, such as a yes, a day or a reason, suppresses them as `unsubscribe`.
             *     - `bounced`: that mail came back: anything but a no suppresses the first address of the row as `bounce`.
             *     - `complained`: that a letter was reported as spam: anything but a no suppresses the person as `complaint`.
             *     - `consent`: whether the person may be written to: a no suppresses them as `unsubscribe`.
             *     - `mailStatus`: a word such as `unsubscribed`, `cleaned`, `bounced` or `spam`, which suppresses; others change nothing.
             *     - `fields.NAME`: a field of your own.
             */
            field: string | null;
            /** @description The heading of the column in the file. */
            name: string;
        } & {
            [key: string]: unknown;
        };
        Company: {
            /** @description Facts about it, as pairs of a label and a value. */
            facts: components["schemas"]["Fact"][];
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The countries it serves, as ISO codes. */
            markets: string[];
            /** @description The name of the company. */
            name: string;
            /** @description What it says about itself. */
            pitch: string;
            /** @description What it refuses and does not talk about. */
            policy: string;
        };
        CompanyList: {
            /** @description All companies on whose behalf agents write. */
            companies: components["schemas"]["Company"][];
            /** @description Always null: this list answers everything at once. */
            next: string | null;
        };
        CompanyUpdate: {
            /** @description Facts about it, as pairs `{label, value}` or `{founded: "2019"}`; they replace the present ones. */
            facts?: components["schemas"]["NewFact"][] | null;
            /** @description What it says about itself. */
            pitch?: string | null;
            /** @description What it refuses and does not talk about. */
            policy?: string | null;
        };
        Condition: {
            /** @description What the condition is about, such as `price`. */
            key: string;
            /** @description The side it applies to, such as `buyer` or `seller`; null means both. */
            side: string | null;
            /** @description The value: text, a number or a boolean. */
            value: string | number | boolean;
        } & {
            [key: string]: unknown;
        };
        ConnectLink: {
            /** @description Until when it can be opened. */
            expiresAt: string;
            /** @description The address of the page, for the owner of the account alone. A replay of the call shows it for an hour, to the token that made the call; afterwards, and to others, it is null. */
            url: string | null;
        };
        Conversation: {
            /** @description The id of its connection; empty if it no longer has one. */
            channel: string;
            /** @description Whether it is closed. */
            closed: boolean;
            /** @description The id: opaque, and never changed. */
            id: string;
            /**
             * @description The importance of the conversation.
             *
             *     - `low`: it can wait.
             *     - `normal`: it is neither low nor high.
             *     - `high`: it should be dealt with first.
             */
            importance: string;
            /**
             * @description What the client wants.
             *
             *     - `quote`: an offer.
             *     - `question`: an answer to a question.
             *     - `interested`: to continue, without a specific request.
             *     - `meeting`: a meeting.
             *     - `not_interested`: nothing: they are not interested.
             *     - `complaint`: to have a problem solved.
             *     - `unsubscribe`: to receive no more letters.
             *     - `out_of_office`: nothing: they are away.
             *     - `other`: something else, or the intent was not recognised.
             */
            intent: string;
            /**
             * @description The kind of channel.
             *
             *     - `email`: e-mail.
             *     - `professional_network`: a professional network.
             *     - `messenger`: a messenger.
             */
            kind: string;
            /** @description The labels on it. */
            labels: components["schemas"]["Label"][];
            /** @description When the last message was received or sent. */
            lastMessageAt: string;
            /** @description Whether a meeting was arranged outside the conversation. */
            met: boolean;
            /** @description The id of the member who owns it; null means no owner. */
            owner: string | null;
            /** @description The id of the person. */
            person: string;
            /**
             * @description Why it was closed; null unless it is closed.
             *
             *     - `meeting_booked`: a meeting was arranged.
             *     - `not_interested`: the client is not interested.
             *     - `no_response`: the client did not reply.
             *     - `wrong_person`: the client is not the right person.
             *     - `spam`: it is spam.
             *     - `personal`: it is personal.
             *     - `other`: for another reason.
             */
            reason: string | null;
            /** @description When it wakes up; null unless it is snoozed. */
            snoozeUntil: string | null;
            /**
             * @description The state of the conversation.
             *
             *     - `open`: it has to be dealt with.
             *     - `snoozed`: it is set aside until `snoozeUntil`.
             *     - `closed`: it is closed.
             */
            state: string;
            /** @description The subject of its first message. */
            subject: string;
            /** @description When it last changed, including its labels, notes and tasks. */
            updatedAt: string;
            /**
             * @description Whose message is awaited.
             *
             *     - `us`: ours: the client wrote last.
             *     - `client`: the client's: we wrote last.
             */
            waitingFor: string;
            /** @description Since when the next message has been awaited. */
            waitingSince: string;
            /** @description Why it is snoozed; null unless it is snoozed and a reason was given. */
            why: string | null;
        };
        ConversationBulkResult: {
            /** @description The id of the conversation, as it was given. */
            conversation: string;
            /** @description The reasons for a refusal; absent if there was none. */
            errors?: components["schemas"]["ItemProblem"][];
            /**
             * @description What became of the conversation.
             *
             *     - `changed`: it was changed.
             *     - `same`: it was so already, or stands earlier in the call.
             *     - `refused`: nothing of it was changed; see `errors`.
             */
            outcome: string;
        };
        ConversationBulkResults: {
            /** @description What became of each conversation, in the order of the call. */
            results: components["schemas"]["ConversationBulkResult"][];
        };
        ConversationBulkUpdate: {
            /** @description What is changed in each of them. */
            change: components["schemas"]["ConversationChange"];
            /** @description The ids of the conversations. */
            conversations: string[];
        };
        ConversationChange: {
            /** @description True closes the conversation, false reopens it. */
            closed?: boolean | null;
            /** @description Labels to put on them and to take off them. */
            labels?: components["schemas"]["LabelChange"] | null;
            /** @description The id of the new owner, a member; null means no owner. */
            owner?: string | null;
            /**
             * @description Why it is closed; by default `other`.
             *
             *     - `meeting_booked`: a meeting was arranged.
             *     - `not_interested`: the client is not interested.
             *     - `no_response`: the client did not reply.
             *     - `wrong_person`: the client is not the right person.
             *     - `spam`: it is spam, and its queued messages are cancelled.
             *     - `personal`: it is personal.
             *     - `other`: for another reason.
             */
            reason?: ("meeting_booked" | "not_interested" | "no_response" | "wrong_person" | "spam" | "personal" | "other") | null;
            /** @description Snoozes the conversation until this time; null wakes it up. */
            snoozeUntil?: string | null;
        };
        ConversationCounts: {
            /** @description The labels of open ones, most first. If more than 10000 are open, the newest 10000 are looked at. */
            byLabel: components["schemas"]["LabelCount"][];
            /** @description The members who own open ones, most first. */
            byOwner: components["schemas"]["OwnerCount"][];
            /** @description Whether a number is 10000 because there are more. */
            more: boolean;
            /** @description The open ones; at most 10000. */
            open: number;
            /** @description Those that are set aside until a certain time; at most 10000. */
            snoozed: number;
            /** @description The open ones that nobody owns; at most 10000. */
            unowned: number;
            /** @description The open ones in which the client wrote last; at most 10000. */
            waitingForUs: number;
        };
        ConversationDetails: {
            /** @description The id of its connection; empty if it no longer has one. */
            channel: string;
            /** @description Whether it is closed. */
            closed: boolean;
            /** @description The id: opaque, and never changed. */
            id: string;
            /**
             * @description The importance of the conversation.
             *
             *     - `low`: it can wait.
             *     - `normal`: it is neither low nor high.
             *     - `high`: it should be dealt with first.
             */
            importance: string;
            /**
             * @description What the client wants.
             *
             *     - `quote`: an offer.
             *     - `question`: an answer to a question.
             *     - `interested`: to continue, without a specific request.
             *     - `meeting`: a meeting.
             *     - `not_interested`: nothing: they are not interested.
             *     - `complaint`: to have a problem solved.
             *     - `unsubscribe`: to receive no more letters.
             *     - `out_of_office`: nothing: they are away.
             *     - `other`: something else, or the intent was not recognised.
             */
            intent: string;
            /**
             * @description The kind of channel.
             *
             *     - `email`: e-mail.
             *     - `professional_network`: a professional network.
             *     - `messenger`: a messenger.
             */
            kind: string;
            /** @description The labels on it. */
            labels: components["schemas"]["Label"][];
            /** @description When the last message was received or sent. */
            lastMessageAt: string;
            /** @description Whether a meeting was arranged outside the conversation. */
            met: boolean;
            /** @description The notes of members, oldest first. */
            notes: components["schemas"]["Note"][];
            /** @description The id of the member who owns it; null means no owner. */
            owner: string | null;
            /** @description The id of the person. */
            person: string;
            /**
             * @description Why it was closed; null unless it is closed.
             *
             *     - `meeting_booked`: a meeting was arranged.
             *     - `not_interested`: the client is not interested.
             *     - `no_response`: the client did not reply.
             *     - `wrong_person`: the client is not the right person.
             *     - `spam`: it is spam.
             *     - `personal`: it is personal.
             *     - `other`: for another reason.
             */
            reason: string | null;
            /** @description When it wakes up; null unless it is snoozed. */
            snoozeUntil: string | null;
            /**
             * @description The state of the conversation.
             *
             *     - `open`: it has to be dealt with.
             *     - `snoozed`: it is set aside until `snoozeUntil`.
             *     - `closed`: it is closed.
             */
            state: string;
            /** @description The subject of its first message. */
            subject: string;
            /** @description The tasks given to agents. */
            tasks: components["schemas"]["Task"][];
            /** @description When it last changed, including its labels, notes and tasks. */
            updatedAt: string;
            /**
             * @description Whose message is awaited.
             *
             *     - `us`: ours: the client wrote last.
             *     - `client`: the client's: we wrote last.
             */
            waitingFor: string;
            /** @description Since when the next message has been awaited. */
            waitingSince: string;
            /** @description Why it is snoozed; null unless it is snoozed and a reason was given. */
            why: string | null;
        };
        ConversationList: {
            /** @description The conversations, in the order asked for. */
            conversations: components["schemas"]["Conversation"][];
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
        };
        ConversationUpdate: {
            /** @description True closes the conversation, false reopens it. */
            closed?: boolean | null;
            /** @description True records a meeting that was arranged outside the conversation. */
            met?: boolean | null;
            /** @description The id of the new owner, a member; null means no owner. */
            owner?: string | null;
            /**
             * @description Why it is closed; by default `other`.
             *
             *     - `meeting_booked`: a meeting was arranged.
             *     - `not_interested`: the client is not interested.
             *     - `no_response`: the client did not reply.
             *     - `wrong_person`: the client is not the right person.
             *     - `spam`: it is spam, and its queued messages are cancelled.
             *     - `personal`: it is personal.
             *     - `other`: for another reason.
             */
            reason?: ("meeting_booked" | "not_interested" | "no_response" | "wrong_person" | "spam" | "personal" | "other") | null;
            /** @description Snoozes the conversation until this time; null wakes it up. */
            snoozeUntil?: string | null;
            /** @description Why it is snoozed, for the team to read. */
            why?: string | null;
        };
        CountConversationsQuery: {
            /**
             * @description Only conversations of this importance.
             *
             *     - `low`: those that can wait.
             *     - `normal`: those between the two.
             *     - `high`: those that should be dealt with first.
             * @enum {string}
             */
            importance?: "low" | "normal" | "high";
            /**
             * @description Only conversations in which the client wants this.
             *
             *     - `quote`: an offer.
             *     - `question`: an answer to a question.
             *     - `interested`: to continue, without a specific request.
             *     - `meeting`: a meeting.
             *     - `not_interested`: nothing: they are not interested.
             *     - `complaint`: to have a problem solved.
             *     - `unsubscribe`: to receive no more letters.
             *     - `out_of_office`: nothing: they are away.
             *     - `other`: something else, or the intent was not recognised.
             * @enum {string}
             */
            intent?: "quote" | "question" | "interested" | "meeting" | "not_interested" | "complaint" | "unsubscribe" | "out_of_office" | "other";
            /** @description Only conversations of this kind of channel, such as `email`. */
            kind?: string;
            /** @description Only conversations with this label, by its id or name. */
            label?: string;
            /** @description Only conversations owned by this member, by id; empty or `null` for those without an owner. */
            owner?: string;
            /** @description Only conversations with this person, by id. */
            person?: string;
            /** @description Only conversations whose subject or person's name contains this text, ignoring case. */
            q?: string;
            /**
             * @description Only conversations in this state.
             *
             *     - `open`: conversations that have to be dealt with.
             *     - `snoozed`: conversations set aside until a certain time.
             *     - `closed`: over.
             * @enum {string}
             */
            state?: "open" | "snoozed" | "closed";
            /** @description Only conversations through this account of ours: a connection, by its id or account. */
            via?: string;
            /**
             * @description Only conversations that wait for this side.
             *
             *     - `us`: the client wrote last.
             *     - `client`: we wrote last.
             * @enum {string}
             */
            waitingFor?: "us" | "client";
        };
        CreatedPerson: {
            /** @description The city they live or work in. */
            city: string;
            /** @description The addresses that were not read as they were given; absent if all of them were, so that the answer is the person that is read. */
            cleaned?: components["schemas"]["CleanedAddress"][];
            /** @description The company they work for, as text. */
            company: string;
            /** @description Whether the person is new; false if an address or an `externalId` led to an existing card. */
            created: boolean;
            /** @description When it was created. */
            createdAt: string;
            /** @description The first of `emails`, to which letters are sent; empty if there is none. */
            email: string;
            /** @description All e-mail addresses; letters are sent to the first one. */
            emails: string[];
            /** @description The id that your own system gave them; null if there is none. */
            externalId: string | null;
            /** @description Fields of your own: text, numbers, true or false, by name. */
            fields: {
                [key: string]: string | number | boolean;
            };
            /** @description The hold on the letters of all campaigns to them; null if there is none. */
            held: components["schemas"]["Hold"] | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description What they do at their company. */
            jobTitle: string;
            /** @description The address of their profile in a professional network; empty if there is none. */
            linkedin: string;
            /** @description The id of this card, where a card that has become part of it was asked for; otherwise absent. */
            mergedInto?: string;
            /** @description The name; empty if unknown. */
            name: string;
            /** @description The first of `phones`; empty if there is none. */
            phone: string;
            /** @description All phone numbers, in E.164 format where possible. */
            phones: string[];
            /** @description Tags that were removed; they stay on record. */
            removedTags: components["schemas"]["RemovedTag"][];
            /** @description Those of their addresses that must not be written to; see `GET /suppressions`. */
            suppressed: components["schemas"]["SuppressedAddress"][];
            /** @description The products they are currently tagged with. */
            tags: components["schemas"]["PersonTag"][];
            /** @description When it was last changed. */
            updatedAt: string;
        };
        Dashboard: {
            /** @description The days, oldest first, including today. */
            chart: components["schemas"]["DashboardDay"][];
            /** @description The number of days in the chart. */
            days: number;
            /** @description The current totals. */
            totals: components["schemas"]["DashboardTotals"];
        };
        DashboardDay: {
            /** @description The part of `sent` that was written automatically. */
            automated: number;
            /** @description The day in the time zone of the workspace, as YYYY-MM-DD. */
            day: string;
            /** @description Meetings that were booked or recorded. */
            meetings: number;
            /** @description Messages that were received. */
            received: number;
            /** @description Messages that were sent. */
            sent: number;
        };
        DashboardTotals: {
            /** @description Running campaigns. */
            campaigns: number;
            /** @description Conversations in any state. */
            conversations: number;
            /** @description Open deals. */
            deals: number;
            /** @description Open conversations. */
            open: number;
            /** @description People. */
            people: number;
            /** @description Snoozed conversations. */
            snoozed: number;
            /** @description Open conversations that wait for a message from us. */
            waiting: number;
        };
        Deal: {
            /** @description The id of the agent that leads both sides. */
            agent: string;
            /** @description The id of the person who buys. */
            buyer: string;
            /** @description The buyer. */
            client: components["schemas"]["Label"];
            /** @description Whether it is closed. */
            closed: boolean;
            /** @description When it was closed; null while it is open. */
            closedAt: string | null;
            /** @description When it was created. */
            createdAt: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The id of the product. */
            label: string;
            /** @description The seller. */
            partner: components["schemas"]["Label"];
            /** @description The id of the person who sells. */
            seller: string;
            /** @description Its stage, in your own words; recommended are `new`, `introduced`, `negotiating`, `agreed`, `won` and `lost`. */
            stage: string;
            /**
             * @description The state of the deal.
             *
             *     - `open`: it is open.
             *     - `closed`: it is closed.
             */
            state: string;
        };
        DealList: {
            /** @description The deals, newest first. */
            deals: components["schemas"]["Deal"][];
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
        };
        DealUpdate: {
            /** @description True closes the deal, false reopens it. */
            closed?: boolean | null;
            /** @description Its stage, in your own words; recommended are `new`, `introduced`, `negotiating`, `agreed`, `won` and `lost`. */
            stage?: string | null;
        };
        Deleted: {
            /** @description Always true. */
            deleted: boolean;
            /** @description The id of the deleted resource. */
            id: string;
        };
        Delivery: {
            /** @description When the event was queued for the webhook. */
            at: string;
            /** @description The number of attempts. */
            attempts: number;
            /** @description The id of the delivered event; it is the `webhook-id` of every attempt. */
            event: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The kind of the event, such as `message.received`. */
            kind: string;
            /** @description When it is attempted next; null if it is not. */
            nextTryAt: string | null;
            /** @description What went wrong in the last attempt, as a stable code; null if nothing did. */
            problem: string | null;
            /**
             * @description The state of the delivery.
             *
             *     - `queued`: it is still to be attempted.
             *     - `delivered`: the address answered 2xx.
             *     - `failed`: it was given up.
             */
            state: string;
            /** @description The HTTP status of the last answer; null if there was none. */
            status: number | null;
            /** @description When it was last attempted; null before the first attempt. */
            triedAt: string | null;
        };
        DeliveryList: {
            /** @description The deliveries, newest first. */
            deliveries: components["schemas"]["Delivery"][];
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
        };
        DuplicateRow: {
            /** @description The earlier row of the file that is about the same person. */
            joined: number;
            /** @description The id of the card that both lead to; null if the import would create it. */
            person: string | null;
            /** @description The row of the file. */
            row: number;
        };
        ErasedPerson: {
            /** @description Always true. */
            erased: boolean;
            /** @description The id of the person, who is answered 404 from now on. */
            id: string;
        };
        Event: {
            /** @description When it happened. */
            at: string;
            /** @description Where it stands: sent as `cursor`, it leads to the events behind this one. */
            cursor: string;
            /** @description The ids and states that belong to it; no texts. */
            data: {
                [key: string]: unknown;
            };
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description What happened: the action of the audit entry, such as `campaign.moved`, or what happened by itself, such as `message.received`. */
            kind: string;
            /** @description The id of the resource it happened to. */
            resource: string;
        };
        /** @description The data of each kind of event. */
        EventData: {
            "access.closed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description Until when it is good. */
                expiresAt?: string;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the member. */
                member?: string | null;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "access.opened": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description Until when it is good. */
                expiresAt?: string;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the member. */
                member?: string | null;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "agent.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description Whether it is switched on. */
                enabled?: boolean;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "archive.declined": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "archive.parsed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "archive.started": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "campaign.created": {
                /** @description The id of the agent. */
                agent?: string | null;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the segment. */
                segment?: string | null;
            };
            "campaign.deleted": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
            };
            "campaign.edited": {
                /** @description The id of the agent. */
                agent?: string | null;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the segment. */
                segment?: string | null;
            };
            "campaign.letters": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "campaign.moved": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "channel.connected": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "channel.consent_needed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
            };
            "channel.created": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the member. */
                member?: string | null;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "channel.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the member. */
                member?: string | null;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "channel.failed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description What of the account does not work or works again: `sending` or `reading`. */
                part?: string;
                /** @description The cause, as `GET /channels` has it; null if it is over. */
                problem?: string | null;
            };
            "channel.link_created": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description Until when it is good. */
                expiresAt?: string;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the member. */
                member?: string | null;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "channel.recovered": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description What of the account does not work or works again: `sending` or `reading`. */
                part?: string;
                /** @description The cause, as `GET /channels` has it; null if it is over. */
                problem?: string | null;
            };
            "channel.removed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the member. */
                member?: string | null;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "company.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "conversation.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description Whether it is closed. */
                closed?: boolean;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description Whether a meeting was arranged outside of the conversation. */
                met?: boolean;
                /** @description The id of the member who owns it; null if nobody does. */
                owner?: string | null;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
                /** @description Until when it is snoozed; null if it is not. */
                snoozeUntil?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "conversation.labelled": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the product, or the label. */
                label?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "conversation.noted": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "conversation.reopened": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "conversation.routed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the member who owns it; null if nobody does. */
                owner?: string | null;
                /** @description The id of the rule. */
                rule?: string | null;
            };
            "conversation.unlabelled": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "conversation.woken": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "deal.created": {
                /** @description The id of the agent. */
                agent?: string | null;
                /** @description The id of the person who buys. */
                buyer?: string;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the product, or the label. */
                label?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the person who sells. */
                seller?: string;
            };
            "deal.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description Whether it is closed. */
                closed?: boolean;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The stage of the deal. */
                stage?: string;
            };
            "file.uploaded": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "import.cancelled": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the operation that did it. */
                operation?: string;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "import.done": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the operation that did it. */
                operation?: string;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "import.failed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the operation that did it. */
                operation?: string;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "invitation.resolved": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description What somebody decided: `sent` or `again`. */
                outcome?: string;
            };
            "meeting.answered": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "meeting.booked": {
                /** @description The id of the calendar. */
                calendar?: string;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "meeting.cancelled": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "meeting.moved": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "meeting.proposal_declined": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "meeting.proposed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the proposal. */
                proposal?: string;
            };
            "meeting.replied": {
                /** @description What the guest answered. */
                answer?: string;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
            };
            "member.created": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "member.deleted": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the member who owns it; null if nobody does. */
                owner?: string | null;
            };
            "member.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "message.cancelled": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "message.failed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The status code of the server or the report; null if there is none. */
                code?: string | null;
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "message.prepared": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description When it is to be sent; null if at once. */
                sendAt?: string | null;
                /** @description The id of the connection it goes through. */
                via?: string;
            };
            "message.queued": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description When it is to be sent; null if at once. */
                sendAt?: string | null;
                /** @description The id of the connection it goes through. */
                via?: string;
            };
            "message.received": {
                /** @description Whether a program wrote it. */
                automated?: boolean;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /**
                 * @description How soon its conversation should be dealt with.
                 *
                 *     - `low`: it can wait.
                 *     - `normal`: it is neither low nor high.
                 *     - `high`: it should be dealt with first.
                 */
                importance?: string;
                /**
                 * @description What the client wants, as its conversation is marked.
                 *
                 *     - `quote`: an offer.
                 *     - `question`: an answer to a question.
                 *     - `interested`: to continue, without a specific request.
                 *     - `meeting`: a meeting.
                 *     - `not_interested`: nothing: they are not interested.
                 *     - `complaint`: to have a problem solved.
                 *     - `unsubscribe`: to receive no more letters.
                 *     - `out_of_office`: nothing: they are away.
                 *     - `other`: something else, or the intent was not recognised.
                 */
                intent?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description Whether it may not be from whom it claims. */
                suspect?: boolean;
            };
            "message.resolved": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description What somebody decided: `sent` or `again`. */
                outcome?: string;
            };
            "message.retried": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "message.sent": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description It was sent from a mail program, and found in the Sent folder. */
                elsewhere?: boolean;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "message.unconfirmed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "message.unreadable": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description How many there are. */
                count?: number;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The folder, as the server names it. */
                folder?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
            };
            "notifications.read": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "people.imported": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "people.saved": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "person.complained": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
            };
            "person.created": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the operation that did it. */
                operation?: string;
            };
            "person.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the operation that did it. */
                operation?: string;
            };
            "person.erased": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
            };
            "person.merged": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The ids of the cards that became part of this one. */
                from?: string[];
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "person.split": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
            };
            "person.tagged": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the product, or the label. */
                label?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The side of the person, or of the product. */
                side?: string | null;
            };
            "person.unsubscribed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description The id of the letter whose link was used. */
                touch?: string;
            };
            "person.untagged": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the product, or the label. */
                label?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The side of the person, or of the product. */
                side?: string | null;
            };
            "product.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The side of the person, or of the product. */
                side?: string | null;
            };
            "routing.applied": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the rule. */
                rule?: string | null;
            };
            "routing.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description Whether it is switched on. */
                enabled?: boolean;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the member. */
                member?: string | null;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The place of the rule. */
                position?: number;
                /** @description The id of the rule. */
                rule?: string | null;
            };
            "segment.created": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description Whether the segment is refilled by itself. */
                refill?: boolean;
            };
            "segment.deleted": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
            };
            "segment.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description Whether the segment is refilled by itself. */
                refill?: boolean;
                /** @description The id of the segment that it replaces. */
                replaces?: string | null;
                /** @description Whether the segment is saved. */
                saved?: boolean;
            };
            "segment.people_added": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "segment.people_found": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "segment.person_removed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
            };
            "segment.searched": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "senders.checked": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
            };
            "suppression.added": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
            };
            "suppression.lifted": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
            };
            "task.carried_out": {
                /** @description The id of the agent. */
                agent?: string | null;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "task.created": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description When it is due; null if it is at once. */
                due?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "task.failed": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "touch.again": {
                /** @description The id of the campaign. */
                campaign?: string;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the message that the letter became in its conversation; null before it went. */
                message?: string | null;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
            };
            "touch.edited": {
                /** @description The id of the campaign. */
                campaign?: string;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the message that the letter became in its conversation; null before it went. */
                message?: string | null;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "touch.failed": {
                /** @description The id of the campaign. */
                campaign?: string;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The status code of the server or the report; null if there is none. */
                code?: string | null;
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the message that the letter became in its conversation; null before it went. */
                message?: string | null;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description The place of the letter: 1, 2 or 3. */
                place?: number;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "touch.resolved": {
                /** @description The id of the campaign. */
                campaign?: string;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The id of the message that the letter became in its conversation; null before it went. */
                message?: string | null;
                /** @description What somebody decided: `sent` or `again`. */
                outcome?: string;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
            };
            "touch.sent": {
                /** @description The id of the campaign. */
                campaign?: string;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the message that the letter became in its conversation; null before it went. */
                message?: string | null;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description The place of the letter: 1, 2 or 3. */
                place?: number;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "touch.unconfirmed": {
                /** @description The id of the campaign. */
                campaign?: string;
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id of the connection. */
                connection?: string | null;
                /** @description The id of the conversation. */
                conversation?: string | null;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The id of the message that the letter became in its conversation; null before it went. */
                message?: string | null;
                /** @description The id of the person; null if it is nobody known. */
                person?: string | null;
                /** @description The place of the letter: 1, 2 or 3. */
                place?: number;
                /** @description Why, as a stable code; null if there is nothing to say. */
                reason?: string | null;
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "webhook.created": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description Whether it is switched on. */
                enabled?: boolean;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "webhook.deleted": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
            };
            "webhook.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description Whether it is switched on. */
                enabled?: boolean;
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "webhook.redelivered": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description The state that it has from then on. */
                state?: string | null;
            };
            "webhook.test": Record<string, never>;
            "webhook.tested": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "workspace.edited": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
                /** @description Whether correspondence is marked. */
                tagging?: boolean;
                /** @description The time zone of the workspace. */
                timezone?: string;
            };
            "workspace.erased": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
            };
            "workspace.held": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
            "workspace.released": {
                /** @description The application whose call caused it, if a call did. */
                client?: components["schemas"]["Application"];
                /** @description The id in your own system of the person whom it is about, if they have one. */
                externalId?: string;
                /** @description The `Idempotency-Key` of the call that caused it, if one did. */
                key?: string;
                /** @description The names of everything that was changed; the values have to be read. */
                members?: string[];
            };
        };
        EventList: {
            /** @description Where to continue later; unlike `next` it is never null. */
            cursor: string;
            /** @description The events, oldest first. */
            events: components["schemas"]["Event"][];
            /** @description The `cursor` of the next page; null if there is nothing more at the moment. */
            next: string | null;
        };
        ExtendedSegment: {
            /** @description The number of people added. */
            added: number;
            /** @description The campaigns that write to it. */
            campaigns: components["schemas"]["SegmentCampaign"][];
            /** @description When it was created. */
            createdAt: string;
            /** @description The number of people who already belonged to it. */
            existing: number;
            /** @description Why nobody was found, and what can be done, in words; absent if somebody belongs to it. */
            hint?: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The number of people in it. */
            members: number;
            /** @description The name; by default the query, or its rules. */
            name: string;
            /** @description Who belongs to it, in words; empty if its rules alone say it. */
            query: string;
            /** @description Whether the service adds matching people by itself. */
            refill: boolean;
            /** @description Rules that narrow the query. */
            rules: components["schemas"]["SegmentRule"][];
            /** @description Whether it is saved; false for a draft. */
            saved: boolean;
            /** @description The given values by which nobody is known here. */
            unknown: string[];
            /** @description When it was last changed. */
            updatedAt: string;
        };
        Fact: {
            /** @description What the fact is about, such as `founded`. */
            label: string;
            /** @description The value: text, a number or a boolean. */
            value: string | number | boolean;
        } & {
            [key: string]: unknown;
        };
        FailedLetters: {
            /** @description The number of letters that did not arrive. */
            letters: number;
            /** @description Why, in words: how many for which reason, and what the servers said. */
            why: string;
        };
        FinderAdded: {
            /** @description The number of people that this call added to the segment. */
            added: number;
            /** @description The number of people who were already in the segment. */
            existing: number;
            /** @description The number of matching people who have not been processed yet. */
            remaining: number;
            /** @description The run to continue, in another call with a new key; null when the run is complete. */
            run: string | null;
        };
        FinderAddition: {
            /**
             * @description The channel for reaching the people; by default that of the last find.
             *
             *     - `email`: people with an e-mail address.
             *     - `professional_network`: people with a profile in a professional network.
             */
            channel?: ("email" | "professional_network") | null;
            /** @description The filters, as `find` answered them; by default those of the last find. */
            filters?: {
                [key: string]: unknown;
            } | null;
            /** @description The run to continue, as the previous answer named it. */
            run?: string | null;
            /** @description The most people to add. */
            want?: number | null;
        };
        FinderQuery: {
            /**
             * @description The channel for reaching the people; by default `email`.
             *
             *     - `email`: people with an e-mail address.
             *     - `professional_network`: people with a profile in a professional network.
             */
            channel?: ("email" | "professional_network") | null;
            /** @description The people to look for, as filters. They take precedence over words, and are returned as given. */
            filters?: {
                [key: string]: unknown;
            } | null;
            /** @description The people to look for, in words; by default the query of the segment. */
            words?: string | null;
        };
        FinderResult: {
            /**
             * @description The channel for reaching them.
             *
             *     - `email`: people with an e-mail address.
             *     - `professional_network`: people with a profile in a professional network.
             */
            channel: string;
            /** @description The number of matching people. */
            count: number;
            /** @description The filters that were used; `find/add` accepts them unchanged. */
            filters: {
                [key: string]: unknown;
            };
        };
        Funnel: {
            /** @description People who have replied that they are not interested. */
            declined: number;
            /** @description Letters that could not be delivered: not sent, or bounced. */
            failed: number;
            /** @description People who have replied that they are interested, or ask for an offer or a meeting. */
            interested: number;
            /** @description People with whom a meeting was arranged. */
            meetings: number;
            /** @description People in its segment. */
            people: number;
            /** @description Letters that wait until they are due. */
            queued: number;
            /** @description People who have replied. */
            replied: number;
            /** @description Letters that are written and wait until their place is agreed. */
            review: number;
            /** @description Letters that are being sent, or that may or may not have arrived. */
            sending: number;
            /** @description Letters that were sent. */
            sent: number;
            /** @description Letters that were not wanted any more: the person replied, unsubscribed or left the segment, somebody skipped the letter, or the campaign ended. */
            skipped: number;
        };
        GetCalendarQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Only meetings that end after this time, or after the beginning of this day; by default now. */
            from?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
            /** @description Only meetings that start before this time or day; by default 14 days after `from`. */
            to?: string;
        };
        GetDashboardQuery: {
            /** @description The number of days in the chart, including today. */
            days?: number;
        };
        GetMessageHtmlQuery: {
            /**
             * @description Whether images from the web are shown.
             *
             *     - `true`: they are shown, and their servers learn when and where the message is read.
             *     - `false`: their alternative texts are shown in their place.
             * @enum {string}
             */
            images?: "true" | "false";
        };
        GetOperationQuery: {
            /** @description For how many seconds to wait for the end of the operation. */
            wait?: number;
        };
        HealthSignal: {
            /** @description The numbers and findings behind the signal. */
            facts: {
                [key: string]: unknown;
            };
            /**
             * @description What was checked.
             *
             *     - `login`: whether the account accepts the login.
             *     - `bridge`: whether its bridge answers.
             *     - `mailbox`: whether its mailbox is read, so that replies are seen.
             *     - `spf`: who may send for its domain (SPF).
             *     - `dkim`: whether its mail can be signed (DKIM).
             *     - `dmarc`: what its domain wants done with forged mail (DMARC).
             *     - `bounces`: how many letters bounced.
             *     - `complaints`: how many letters were marked as unwanted.
             *     - `provider`: how often its server refused or failed.
             */
            key: string;
            /**
             * @description The level of the signal.
             *
             *     - `normal`: nothing is wrong.
             *     - `caution`: there is a problem: its limits are halved.
             *     - `restricted`: no campaign letter goes through it.
             *     - `blocked`: it cannot be used, or must not be.
             *     - `unknown`: it has not been checked yet.
             */
            level: string;
            /** @description From 0, the worst, to 100. */
            score: number;
        };
        Hold: {
            /** @description When the hold ends by itself; null if somebody must release it. */
            until: string | null;
            /** @description Why they are held. */
            why: string;
        };
        HoldReason: {
            /** @description The reason of the hold. */
            why: string;
        };
        Hours: {
            /** @description Days without work: `mon` to `sun`, or dates as YYYY-MM-DD. */
            daysOff: string[];
            /** @description The time of day at which work begins, as HH:MM. */
            from: string;
            /** @description The time of day at which work ends, as HH:MM. */
            to: string;
            /** @description The IANA name of the time zone of the hours. */
            zone: string;
        } & {
            [key: string]: unknown;
        };
        HoursUpdate: {
            /**
             * @description Days without work: weekdays, or dates as YYYY-MM-DD.
             *
             *     - `mon`: every Monday.
             *     - `tue`: every Tuesday.
             *     - `wed`: every Wednesday.
             *     - `thu`: every Thursday.
             *     - `fri`: every Friday.
             *     - `sat`: every Saturday.
             *     - `sun`: every Sunday.
             */
            daysOff?: string[] | null;
            /** @description The time of day at which work begins, as HH:MM. */
            from?: string | null;
            /** @description The time of day at which work ends, as HH:MM up to 24:00; must be later than `from`. */
            to?: string | null;
            /** @description The IANA name of the time zone of the hours. */
            zone?: string | null;
        } & {
            [key: string]: unknown;
        };
        House: {
            /** @description The rules for all agents. */
            rules: string;
            /** @description When it was last changed. */
            updatedAt: string;
        };
        Identity: {
            /** @description The application that holds the token. */
            client: components["schemas"]["Application"];
            /** @description The id of the member the token belongs to. */
            member: string;
            /**
             * @description What the token may do.
             *
             *     - `inbox:read`: read everything.
             *     - `inbox:write`: change everything but segments and campaigns.
             *     - `campaigns:write`: change segments and campaigns.
             *     - `send`: send something to clients.
             */
            scopes: string[];
            /** @description The id of the workspace. */
            workspace: string;
        };
        ImportAnswer: components["schemas"]["ImportResult"] | components["schemas"]["ImportPlan"];
        ImportColumn: {
            /**
             * @description What the column was recognised as; null if it is left out.
             *
             *     - `name`: the whole name.
             *     - `firstName`: the first name.
             *     - `lastName`: the last name.
             *     - `email`: e-mail addresses.
             *     - `phone`: phone numbers.
             *     - `linkedin`: the profile address.
             *     - `company`: the company.
             *     - `city`: the city.
             *     - `jobTitle`: the job title.
             *     - `externalId`: the id that your own system gives the person.
             *     - `unsubscribed`: that the person wants no letters: anything but a no in it, such as a yes, a day or a reason, suppresses them as `unsubscribe`.
             *     - `bounced`: that mail came back: anything but a no suppresses the first address of the row as `bounce`.
             *     - `complained`: that a letter was reported as spam: anything but a no suppresses the person as `complaint`.
             *     - `consent`: whether the person may be written to: a no suppresses them as `unsubscribe`.
             *     - `mailStatus`: a word such as `unsubscribed`, `cleaned`, `bounced` or `spam`, which suppresses; others change nothing.
             *     - `fields.NAME`: a field of your own.
             */
            field: string | null;
            /** @description The heading of the column. */
            name: string;
            /** @description A value of the column from one of the first rows. */
            sample: string;
        };
        ImportCounts: {
            /** @description Rows that repeat a person of an earlier row. */
            duplicate: number;
            /** @description Rows that were left out, because the person was erased; absent if there are none. */
            erased?: number;
            /** @description Rows that were left out, because they have no usable address or match two people. */
            invalid: number;
            /** @description Rows that create a new person. */
            new: number;
            /** @description Rows without anything new about a known person. */
            same: number;
            /** @description Rows of the file, without the headings. */
            total: number;
            /** @description Rows that complete a known person. */
            update: number;
        };
        ImportedRow: {
            /** @description What is wrong in it; a row that is not invalid may have errors too. */
            errors: components["schemas"]["RowProblem"][];
            /** @description For a duplicate, the earlier row of the file that led to the same card. */
            joined: number | null;
            /**
             * @description What became of the row.
             *
             *     - `new`: a new person.
             *     - `update`: a known person was changed.
             *     - `same`: a known person stayed unchanged.
             *     - `duplicate`: the same person as an earlier row.
             *     - `invalid`: nothing.
             *     - `erased`: nothing, because the person was erased.
             */
            outcome: string;
            /** @description The id of the card it led to; null if the row is invalid. */
            person: string | null;
            /** @description The row of the file, counted from 1. */
            row: number;
        };
        ImportedRowList: {
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description The rows, in the order of the file. */
            rows: components["schemas"]["ImportedRow"][];
        };
        ImportPlan: {
            /** @description The first hundred addresses that are not read as they stand in the file. */
            cleaned: components["schemas"]["CleanedCell"][];
            /** @description The columns of the file, in order. */
            columns: components["schemas"]["ImportColumn"][];
            /** @description The first thousand rows that are about the same person as an earlier row. */
            duplicates: components["schemas"]["DuplicateRow"][];
            /** @description What is wrong in the file, row by row. */
            errors: components["schemas"]["RowProblem"][];
            /** @description The row in which the headings were found, counted from 1; what stands above it is left out. Null if there are none. */
            headings: number | null;
            /** @description The number of rows with each outcome. */
            rows: components["schemas"]["ImportCounts"];
            /** @description What would become of the first people of the file. */
            sample: components["schemas"]["SampleRow"][];
            /** @description The sheet that is read; null if the file has no sheets. */
            sheet: string | null;
            /** @description The sheets of a workbook, in order. */
            sheets: string[];
            /** @description The first thousand of these rows. Importing suppresses them before any letter goes. */
            suppressed: components["schemas"]["SuppressedRow"][];
            /** @description In how many rows the file says that nobody may write to the person, by reason. */
            suppressions: components["schemas"]["SuppressionCounts"];
            /** @description What may be meant otherwise, once for each column. */
            warnings: components["schemas"]["RowProblem"][];
        };
        ImportResult: {
            /** @description What was wrong in the file, row by row. */
            errors: components["schemas"]["RowProblem"][];
            /** @description The key with which `GET /operations/{key}` shows the progress of the import. */
            operation: string;
            /** @description The number of rows with each outcome so far. */
            rows: components["schemas"]["ImportCounts"];
            /** @description Its state, as that of an operation, such as `running` or `done`. */
            state: string;
            /** @description In how many rows the file says that nobody may write to the person, by reason. */
            suppressions: components["schemas"]["SuppressionCounts"];
        };
        Invitation: {
            /** @description When it ends. */
            endsAt: string;
            /** @description Where it is; null if the invitation does not say. */
            location: string | null;
            /** @description The address of who invites. */
            organizer: string;
            /** @description When it starts. */
            startsAt: string;
            /**
             * @description What became of it.
             *
             *     - `open`: it waits for an answer.
             *     - `accepted`: it was accepted.
             *     - `tentative`: it was accepted with reservations.
             *     - `declined`: it was declined.
             *     - `cancelled`: the organizer has cancelled the meeting.
             *     - `replaced`: a newer message has another version of it.
             */
            state: string;
            /** @description The title of the meeting. */
            title: string;
        };
        InvitationAnswer: {
            /**
             * @description The answer.
             *
             *     - `accepted`: the member takes part.
             *     - `tentative`: the member may take part.
             *     - `declined`: the member does not take part.
             * @enum {string}
             */
            answer: "accepted" | "tentative" | "declined";
            /** @description Words to the organizer. */
            comment?: string | null;
        };
        ItemProblem: {
            /** @description What is wrong, for a program. */
            code: string;
            /** @description What is wrong, in words. */
            message: string;
            /** @description The JSON pointer of the wrong member, relative to the item; absent if it is none. */
            pointer?: string;
        };
        JudgedSegment: {
            /** @description When it was created. */
            createdAt: string;
            /** @description Why nobody was found, and what can be done, in words; absent if somebody belongs to it. */
            hint?: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The number of people that this call judged. */
            judged: number;
            /** @description The number of them that belong to it. */
            matched: number;
            /** @description The number of people in it. */
            members: number;
            /** @description The name; by default the query, or its rules. */
            name: string;
            /** @description Who belongs to it, in words; empty if its rules alone say it. */
            query: string;
            /** @description Whether the service adds matching people by itself. */
            refill: boolean;
            /** @description The number of people still to be judged; while it is not 0, call again with `segment`. */
            remaining: number;
            /** @description Rules that narrow the query. */
            rules: components["schemas"]["SegmentRule"][];
            /** @description Whether it is saved; false for a draft. */
            saved: boolean;
            /** @description When it was last changed. */
            updatedAt: string;
        };
        Label: {
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The name. */
            name: string;
        };
        LabelChange: {
            /** @description Names of labels to put on them; one that is not in use yet is created. */
            add?: string[] | null;
            /** @description Labels to take off them, by id or name; one that is not on a conversation changes nothing. */
            remove?: string[] | null;
        };
        LabelCount: {
            /** @description The open ones that carry it; at most 10000. */
            count: number;
            /** @description The id of the label. */
            label: string;
        };
        LabelledConversation: {
            /** @description The id of its connection; empty if it no longer has one. */
            channel: string;
            /** @description Whether it is closed. */
            closed: boolean;
            /** @description The id: opaque, and never changed. */
            id: string;
            /**
             * @description The importance of the conversation.
             *
             *     - `low`: it can wait.
             *     - `normal`: it is neither low nor high.
             *     - `high`: it should be dealt with first.
             */
            importance: string;
            /**
             * @description What the client wants.
             *
             *     - `quote`: an offer.
             *     - `question`: an answer to a question.
             *     - `interested`: to continue, without a specific request.
             *     - `meeting`: a meeting.
             *     - `not_interested`: nothing: they are not interested.
             *     - `complaint`: to have a problem solved.
             *     - `unsubscribe`: to receive no more letters.
             *     - `out_of_office`: nothing: they are away.
             *     - `other`: something else, or the intent was not recognised.
             */
            intent: string;
            /**
             * @description The kind of channel.
             *
             *     - `email`: e-mail.
             *     - `professional_network`: a professional network.
             *     - `messenger`: a messenger.
             */
            kind: string;
            /** @description The requested label. */
            label: components["schemas"]["Label"];
            /** @description The labels on it. */
            labels: components["schemas"]["Label"][];
            /** @description When the last message was received or sent. */
            lastMessageAt: string;
            /** @description Whether a meeting was arranged outside the conversation. */
            met: boolean;
            /** @description The notes of members, oldest first. */
            notes: components["schemas"]["Note"][];
            /** @description The id of the member who owns it; null means no owner. */
            owner: string | null;
            /** @description The id of the person. */
            person: string;
            /**
             * @description Why it was closed; null unless it is closed.
             *
             *     - `meeting_booked`: a meeting was arranged.
             *     - `not_interested`: the client is not interested.
             *     - `no_response`: the client did not reply.
             *     - `wrong_person`: the client is not the right person.
             *     - `spam`: it is spam.
             *     - `personal`: it is personal.
             *     - `other`: for another reason.
             */
            reason: string | null;
            /** @description When it wakes up; null unless it is snoozed. */
            snoozeUntil: string | null;
            /**
             * @description The state of the conversation.
             *
             *     - `open`: it has to be dealt with.
             *     - `snoozed`: it is set aside until `snoozeUntil`.
             *     - `closed`: it is closed.
             */
            state: string;
            /** @description The subject of its first message. */
            subject: string;
            /** @description The tasks given to agents. */
            tasks: components["schemas"]["Task"][];
            /** @description When it last changed, including its labels, notes and tasks. */
            updatedAt: string;
            /**
             * @description Whose message is awaited.
             *
             *     - `us`: ours: the client wrote last.
             *     - `client`: the client's: we wrote last.
             */
            waitingFor: string;
            /** @description Since when the next message has been awaited. */
            waitingSince: string;
            /** @description Why it is snoozed; null unless it is snoozed and a reason was given. */
            why: string | null;
        };
        LabelList: {
            /** @description Product tags and conversation labels, by name. */
            labels: components["schemas"]["WorkspaceLabel"][];
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description The product tags alone. */
            products: components["schemas"]["Label"][];
        };
        Letter: {
            /** @description Whether it is agreed. */
            agreed: boolean;
            /** @description The place of the letter in the campaign: 1, 2 or 3. */
            place: number;
            /** @description The subject. */
            subject: string;
            /** @description The text, as the first person would receive it. */
            text: string;
            /** @description When it was written. */
            writtenAt: string;
        };
        LetterPreparation: {
            /** @description The places whose letters have been read and are agreed. */
            agree?: number[] | null;
            /** @description Answers the letter of this place as the person would get it: as it is written for them, or from its template, also from `templates` of the same call, which are not kept then. */
            preview?: components["schemas"]["LetterPreviewRequest"] | null;
            /** @description Templates in Liquid; those of a place replace what its letters were made from, and withdraw its agreement. An empty list takes the templates off the places in `write`, or off all places if it is given alone: they are written without templates again. */
            templates?: components["schemas"]["NewTemplate"][] | null;
            /** @description Sends the letter of this place, as the person would get it, to a member. The subject begins with `[Test]`. */
            test?: components["schemas"]["LetterTestRequest"] | null;
            /** @description The places to write an example letter for: 1, 2 or 3. */
            write?: number[] | null;
        };
        LetterPreview: {
            /** @description The text in HTML; null without one. */
            html: string | null;
            /** @description What the HTML was given with and is sent without, such as a style sheet from elsewhere, in words; absent if there is nothing, and wherever the message is read later. */
            leftOut?: string[];
            /** @description The variables that have no value; with any of them, the letter would wait. */
            missing: string[];
            /** @description The subject. */
            subject: string;
            /** @description The text; names in brackets stand where values are missing. */
            text: string;
            /** @description The variant that the person gets; null if the letter has words already. */
            variant: string | null;
        };
        LetterPreviewRequest: {
            /** @description The id of the person it would go to. */
            person: string;
            /** @description The place of the letter: 1, 2 or 3. */
            place: number;
        };
        LetterTest: {
            /** @description Why it failed; null unless it did. */
            code: string | null;
            /** @description What became of it: sent, failed, or unconfirmed if the server gave no answer. */
            state: string;
            /** @description The address it went to. */
            to: string;
        };
        LetterTestRequest: {
            /** @description The id of the person it would go to. */
            person: string;
            /** @description The place of the letter: 1, 2 or 3. */
            place: number;
            /** @description The address of a member, who gets it. */
            to: string;
        };
        ListAgentsQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListAttachmentsQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListAuditEntriesQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
        };
        ListCampaignPeopleQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
            /**
             * @description Only people with this outcome.
             *
             *     - `failed`: a letter could not be sent.
             *     - `held`: a letter waits because the letters to the person are held.
             *     - `sent`: a letter was sent.
             *     - `replied`: the person has replied since the first letter, not automatically.
             *     - `interested`: the person has replied, and is interested or wants to meet.
             *     - `declined`: the person has replied that they are not interested, or unsubscribed after a letter.
             *     - `bounced`: a letter bounced, or none is sent because another one did.
             *     - `unsubscribed`: the person has unsubscribed.
             * @enum {string}
             */
            outcome?: "sent" | "replied" | "interested" | "declined" | "bounced" | "unsubscribed" | "held" | "failed";
        };
        ListCampaignsQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
        };
        ListChannelsQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListCompaniesQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListConversationsQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /**
             * @description Only conversations of this importance.
             *
             *     - `low`: those that can wait.
             *     - `normal`: those between the two.
             *     - `high`: those that should be dealt with first.
             * @enum {string}
             */
            importance?: "low" | "normal" | "high";
            /**
             * @description Only conversations in which the client wants this.
             *
             *     - `quote`: an offer.
             *     - `question`: an answer to a question.
             *     - `interested`: to continue, without a specific request.
             *     - `meeting`: a meeting.
             *     - `not_interested`: nothing: they are not interested.
             *     - `complaint`: to have a problem solved.
             *     - `unsubscribe`: to receive no more letters.
             *     - `out_of_office`: nothing: they are away.
             *     - `other`: something else, or the intent was not recognised.
             * @enum {string}
             */
            intent?: "quote" | "question" | "interested" | "meeting" | "not_interested" | "complaint" | "unsubscribe" | "out_of_office" | "other";
            /** @description Only conversations of this kind of channel, such as `email`. */
            kind?: string;
            /** @description Only conversations with this label, by its id or name. */
            label?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
            /** @description Only conversations owned by this member, by id; empty or `null` for those without an owner. */
            owner?: string;
            /** @description Only conversations with this person, by id. */
            person?: string;
            /** @description Only conversations whose subject or person's name contains this text, ignoring case. */
            q?: string;
            /**
             * @description The order, by default `-lastMessageAt`; not together with `updatedSince`.
             *
             *     - `lastMessageAt`: by the last message, oldest first.
             *     - `-lastMessageAt`: by the last message, newest first.
             *     - `waitingSince`: by how long they have waited, longest first.
             *     - `-waitingSince`: by how long they have waited, shortest first.
             * @enum {string}
             */
            sort?: "lastMessageAt" | "-lastMessageAt" | "waitingSince" | "-waitingSince";
            /**
             * @description Only conversations in this state.
             *
             *     - `open`: conversations that have to be dealt with.
             *     - `snoozed`: conversations set aside until a certain time.
             *     - `closed`: over.
             * @enum {string}
             */
            state?: "open" | "snoozed" | "closed";
            /** @description Only what has changed since this time, earliest change first. To continue later, pass the `updatedAt` of the last item you read; items changed at exactly that time are repeated. */
            updatedSince?: string;
            /** @description Only conversations through this account of ours: a connection, by its id or account. */
            via?: string;
            /**
             * @description Only conversations that wait for this side.
             *
             *     - `us`: the client wrote last.
             *     - `client`: we wrote last.
             * @enum {string}
             */
            waitingFor?: "us" | "client";
        };
        ListDealsQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
            /**
             * @description Only deals in this state; by default both.
             *
             *     - `open`: open deals.
             *     - `closed`: closed deals.
             * @enum {string}
             */
            state?: "open" | "closed";
        };
        ListDeliveriesQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
        };
        ListEventsQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description Where to begin: `now`, or the first event that was recorded at this time or later. A `cursor` goes before it. */
            from?: string;
            /** @description Only events of these kinds, with commas between them, such as `message.received,touch.*`. */
            kinds?: string[];
            /** @description The most entries that the answer may hold. */
            limit?: number;
            /** @description For how many seconds to wait for an event if there is none. */
            wait?: number;
        };
        ListImportedRowsQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
        };
        ListLabelsQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListMembersQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListMessagesQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
        };
        ListMessengerFoldersQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListNotificationsQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
        };
        ListOperationsQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description Only operations of calls that were accepted at this time or later. */
            from?: string;
            /** @description Only operations of this kind, such as `sendMessage` or `person.edited`, as `kind` shows it. */
            kind?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
            /**
             * @description Only operations in this state.
             *
             *     - `accepted`: it is recorded and will be started.
             *     - `running`: it is being carried out.
             *     - `waiting`: it waits until a certain time, or for a person.
             *     - `done`: it was carried out.
             *     - `failed`: it could not be carried out.
             *     - `cancelled`: it was cancelled.
             * @enum {string}
             */
            state?: "accepted" | "running" | "waiting" | "done" | "failed" | "cancelled";
        };
        ListPeopleQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description Only people with this e-mail address, whatever its spelling. */
            email?: string;
            /** @description Only the person with this id of your own. */
            externalId?: string;
            /** @description Only people with this value in a field of your own: `field.NAME=VALUE` or `field[NAME]=VALUE`, with `true`, `false` and numbers as text. Up to ten fields can be combined. */
            field?: {
                [key: string]: string;
            };
            /** @description Only people who are currently tagged with this product, by its id or exact name. */
            label?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
            /** @description Only people with this profile in a professional network, whatever its spelling. */
            linkedin?: string;
            /** @description Only people with this phone number, whatever its spelling. */
            phone?: string;
            /** @description Only people for whom this text is part of their name, company, job title, city or one of their addresses, ignoring case. */
            q?: string;
            /**
             * @description Only people with a tag on this side; can be combined with `label`.
             *
             *     - `buyer`: those who buy.
             *     - `seller`: those who sell.
             * @enum {string}
             */
            side?: "buyer" | "seller";
            /** @description Only what has changed since this time, earliest change first. To continue later, pass the `updatedAt` of the last item you read; items changed at exactly that time are repeated. */
            updatedSince?: string;
        };
        ListProductsQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListSegmentPeopleQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
        };
        ListSegmentProposalsQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListSegmentsQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListSuppressionsQuery: {
            /** @description Only entries for this address. */
            address?: string;
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
        };
        ListTouchesQuery: {
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
            /**
             * @description Only touches in this state.
             *
             *     - `queued`: it waits until it is due.
             *     - `review`: it is written and waits until its place is agreed.
             *     - `sending`: it is being sent, or it may or may not have arrived.
             *     - `sent`: it was sent.
             *     - `failed`: it was not sent, or it bounced.
             * @enum {string}
             */
            state?: "queued" | "sending" | "sent" | "failed" | "review";
        };
        ListVoicesQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        ListWebhooksQuery: {
            /** @description Not needed: the first page has everything. */
            cursor?: string;
            /** @description Checked, but without effect: this list answers everything at once. */
            limit?: number;
        };
        Material: {
            /** @description The text. */
            text: string;
            /** @description The title of the text. */
            title: string;
        } & {
            [key: string]: unknown;
        };
        Meeting: {
            /** @description The agenda; the description in invitations. */
            agenda: string;
            /** @description The id of its calendar. */
            calendar: string;
            /** @description Its day in the time zone of the workspace, as YYYY-MM-DD. */
            day: string;
            /** @description When it ends. */
            endsAt: string;
            /** @description The addresses of the guests. */
            guests: string[];
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The duration in minutes. */
            minutes: number;
            /** @description Whether it was booked here; meetings made in another program are cancelled there. */
            own: boolean;
            /** @description Other times that guests propose, until they are accepted or declined. */
            proposals: components["schemas"]["MeetingProposal"][];
            /** @description The guests' answers to the invitation. */
            replies: components["schemas"]["MeetingReply"][];
            /** @description The time of day at which it starts, in the time zone of the workspace, as HH:MM. */
            start: string;
            /** @description When it starts. */
            startsAt: string;
            /**
             * @description The state of the meeting.
             *
             *     - `booked`: it takes place.
             *     - `cancelled`: it was cancelled, and its guests are told so.
             */
            state: string;
            /** @description The title of the meeting. */
            title: string;
        };
        MeetingCheck: {
            /** @description Always true: nothing was booked. */
            check: boolean;
            /** @description Meetings that overlap with it in the same calendar. */
            conflicts: components["schemas"]["Meeting"][];
            /** @description The meeting as it would be booked. */
            meeting: components["schemas"]["Meeting"];
            /** @description The addresses that would receive an invitation. */
            writesTo: string[];
        };
        MeetingMove: {
            /** @description True moves nothing and only shows what would happen. */
            check?: boolean | null;
            /** @description The day in the time zone of the workspace, as YYYY-MM-DD. */
            day: string;
            /**
             * @description The new duration in minutes; by default it stays.
             *
             *     - `15`: a quarter of an hour.
             *     - `30`: half an hour.
             *     - `45`: three quarters of an hour.
             *     - `60`: an hour.
             *     - `90`: an hour and a half.
             *     - `120`: two hours.
             */
            minutes?: (15 | 30 | 45 | 60 | 90 | 120) | null;
            /** @description The time of day at which it starts, in the time zone of the workspace, as HH:MM. */
            start: string;
        };
        MeetingOrCheck: components["schemas"]["MeetingCheck"] | components["schemas"]["Meeting"];
        MeetingProposal: {
            /** @description When it was proposed. */
            at: string;
            /** @description The address of the guest. */
            by: string;
            /** @description The guest's words; null if there are none. */
            comment: string | null;
            /** @description When it would end. */
            endsAt: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description When the meeting would start. */
            startsAt: string;
        };
        MeetingReply: {
            /** @description The address of the guest. */
            address: string;
            /** @description The answer, such as `accepted`, `declined` or `tentative`. */
            answer: string;
            /** @description True if the answer came from another address than the invited one; absent otherwise. */
            unverified?: boolean;
        };
        Member: {
            /** @description The id of the account through which their calls write where several fit; null if none is set, or it is not theirs any more. */
            defaultConnection: string | null;
            /** @description Their e-mail address. */
            email: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description What they do in the company. */
            jobTitle: string;
            /** @description The name of the member. */
            name: string;
            /** @description How they sign letters. */
            signature: string;
            /** @description What they handle, in words. */
            zone: string;
        };
        MemberList: {
            /** @description All members of the workspace. */
            members: components["schemas"]["Member"][];
            /** @description Always null: this list answers everything at once. */
            next: string | null;
        };
        MemberUpdate: {
            /** @description The id of the account of theirs through which their calls write where several fit, in place of a refusal with `sender_ambiguous`; null for none. */
            defaultConnection?: string | null;
            /** @description What they do in the company; an empty text erases it. */
            jobTitle?: string | null;
            /** @description How they sign letters; an empty text erases it. */
            signature?: string | null;
            /** @description What they handle, in words; an empty text erases it. */
            zone?: string | null;
        };
        Message: {
            /** @description The id of the letter as which it was sent anew; absent if it was not. */
            again?: string;
            /** @description The id of the agent that wrote it; null if none did. */
            agent: string | null;
            /** @description When it was received or sent; while it waits, `sendAt` or the time at which it was queued. */
            at: string;
            /** @description Whether it was written automatically: by an agent, or as an automatic reply. */
            automated: boolean;
            /** @description The addresses that got a copy unseen by the others; empty unless it is ours. */
            bcc: string[];
            /** @description The addresses that got a copy. */
            cc: string[];
            /** @description The mail server's enhanced status code, such as `5.1.1`, or else its reply code. */
            code: string | null;
            /** @description The id of the conversation. */
            conversation: string;
            /**
             * @description The direction of the message.
             *
             *     - `inbound`: from the client.
             *     - `outbound`: from us.
             */
            direction: string;
            /** @description The number of attached files. */
            files: number;
            /** @description How many of its files were removed, because the workspace keeps messages or files for so many days. */
            filesRemoved: number;
            /** @description The folder of the mailbox that it was read in, such as `INBOX`; null if it did not come from a mailbox. */
            folder: string | null;
            /** @description Whether it has HTML beside the text. */
            html: boolean;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The id of the message that it answers; null if it answers none that is stored. */
            inReplyTo: string | null;
            /** @description The meeting that it invites to; null if it is no invitation. POST /messages/{id}/invitation answers it. */
            invitation: components["schemas"]["Invitation"] | null;
            /** @description Why it failed; `unconfirmed` if it may or may not have arrived; null otherwise. */
            reason: string | null;
            /** @description The recipients in `cc` and `bcc` that the server refused when it took the message; empty if there are none. */
            refused: components["schemas"]["RefusedRecipient"][];
            /** @description When its subject, text, HTML and files were removed, because the workspace keeps messages for so many days; null if they are there. */
            removedAt: string | null;
            /** @description Where it asks for answers (`Reply-To`); empty if it does not say. */
            replyTo: components["schemas"]["ReplyAddress"][];
            /** @description What it reports about a letter of ours; null if it is not a report. */
            report: components["schemas"]["MessageReport"] | null;
            /** @description What the server or the report said about its failure, in its own words; absent without. */
            said?: string;
            /** @description Who sent it. */
            sender: components["schemas"]["MessageSender"];
            /**
             * @description The state of the message.
             *
             *     - `received`: it was received.
             *     - `queued`: it waits for its time or its turn.
             *     - `sending`: it is being sent, or it may or may not have arrived.
             *     - `sent`: the account's server accepted it.
             *     - `failed`: it was not sent, or it bounced.
             *     - `cancelled`: it was cancelled before it was sent.
             */
            state: string;
            /** @description The subject; empty if there is none. */
            subject: string;
            /** @description Whether the sender may be forged: the server of the account says so, the head names no sender clearly, or the mail lies in Junk. Such a message has no effects. */
            suspect: boolean;
            /** @description The text. */
            text: string;
            /** @description The addresses it is to. */
            to: string[];
            /** @description Our address through which a group or a form sent it, in which case `sender` is who wrote it; null otherwise. */
            via: string | null;
            /** @description The voice it was written in; null if unknown. */
            voice: string | null;
        };
        MessageList: {
            /** @description The messages, newest first. */
            messages: components["schemas"]["Message"][];
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
        };
        MessageReport: {
            /** @description The status code of the report (RFC 3463); null if it has none. */
            code: string | null;
            /**
             * @description The kind of report.
             *
             *     - `bounce`: the letter could not be delivered.
             *     - `complaint`: the recipient marked it as unwanted.
             *     - `delivery`: the letter was delivered.
             */
            kind: string;
            /** @description The id of the message it is about; null if unknown. */
            message: string | null;
            /** @description Whether another attempt would fail too. */
            permanent: boolean;
            /** @description Whether it is proven to be about a letter of ours; without proof it has no effects. */
            proven: boolean;
            /** @description The address that is reported; null if the report names none. */
            recipient: string | null;
        };
        MessageSender: {
            /** @description The address of the sender. */
            handle: string;
            /** @description The name of the sender. */
            name: string;
        };
        MessengerFolder: {
            /** @description The id of its connection. */
            channel: string;
            /** @description The number of conversations in it. */
            conversations: number;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The name of the folder. */
            name: string;
        };
        MessengerFolderList: {
            /** @description All folders of the messenger accounts. */
            folders: components["schemas"]["MessengerFolder"][];
            /** @description Always null: this list answers everything at once. */
            next: string | null;
        };
        MissingPart: {
            /**
             * @description What is missing.
             *
             *     - `segment_missing`: no segment is set.
             *     - `segment_empty`: the segment is empty.
             *     - `agent_missing`: no agent is set.
             *     - `agent_disabled`: the agent is disabled.
             *     - `no_sender`: no working account to send from.
             *     - `letter_not_agreed`: a letter is not agreed yet.
             */
            code: string;
            /** @description The member to fix, such as `segment`, `agent`, `senders` or `letters`. */
            field: string;
            /** @description What to do about it, in words. */
            message: string;
        };
        MovedCampaign: {
            /** @description The campaign. */
            campaign: components["schemas"]["Campaign"];
            /** @description The numbers of letters and people in each state. */
            funnel: components["schemas"]["Funnel"];
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The number of letters that are being sent and can no longer be stopped. */
            inFlight: number;
            /** @description The example letters, in order of place. */
            letters: components["schemas"]["Letter"][];
            /**
             * @description The state of the campaign.
             *
             *     - `draft`: it has not started and writes to nobody.
             *     - `running`: it sends letters.
             *     - `paused`: it writes to nobody until it is resumed.
             *     - `done`: it has ended for good.
             */
            state: string;
            /** @description The templates that letters are made from, in order of place and variant. */
            templates: components["schemas"]["Template"][];
            /** @description The numbers of each variant of letters that are made from templates. */
            variants: components["schemas"]["VariantNumbers"][];
        };
        NewCampaign: {
            /** @description The id of the agent that writes. */
            agent?: string | null;
            /** @description What the campaign should achieve. An instruction to the writer that is never quoted to clients. */
            goal?: string | null;
            /** @description The name; by default the goal. */
            name?: string | null;
            /** @description How many letters it has for each person: 1, 2 or 3, which is the default. */
            places?: number | null;
            /** @description The id of the segment it writes to. */
            segment?: string | null;
            /** @description The weekdays between each letter after the first and the one before it, from 1 to 60, an entry for each; by default 3 before the second letter and 5 before the third. */
            waitDays?: number[] | null;
        };
        NewCondition: {
            /** @description What the condition is about, such as `price`. */
            key?: string;
            /** @description The side it applies to; `buyer` or `seller` is advised, null means both. */
            side?: string | null;
            /** @description The value: text, a number or a boolean. */
            value?: string | number | boolean;
        } & {
            [key: string]: unknown;
        };
        NewConversation: {
            /** @description E-mail addresses that get a copy unseen by the others. For e-mail alone. */
            bcc?: string[] | null;
            /** @description E-mail addresses that get a copy; at most 50 recipients in all. For e-mail alone. */
            cc?: string[] | null;
            /** @description Files to attach: ids of files, or their content. At most 20, with 25 MB in all. */
            files?: (string | components["schemas"]["NewFile"])[] | null;
            /** @description The body in HTML, sent as given, without what mail programs drop, such as style sheets from elsewhere, which `leftOut` names. Scripts, event handlers, forms and `javascript:` are refused; `cid:NAME` shows the file of that name. For e-mail alone. */
            html?: string | null;
            /** @description The id of the person to write to, at their first address. */
            person?: string | null;
            /** @description Not for a first message, as there is nothing that it could answer. */
            replyTo?: string | null;
            /** @description When to send it, with an offset; by default as soon as the queue reaches it. */
            sendAt?: string | null;
            /** @description Whether the member's signature is put below the text and the HTML; by default not. */
            signature?: boolean | null;
            /** @description The subject, in one line; by default that of the thread after “Re:”, or the first line of the text in a new one. */
            subject?: string | null;
            /** @description The text of the message; by default the words of `html`. At least one of both is required. */
            text?: string | null;
            /** @description The address to write to, instead of `person`: of the person who has it, otherwise of a new one. */
            to?: string | null;
            /** @description Our account to send it through, by the id of its connection or its address; by default the only one that fits the address, otherwise the `defaultConnection` of the member. */
            via?: string | null;
        };
        NewDeal: {
            /** @description The id of the agent that leads both sides. */
            agent: string;
            /** @description The id of the person who buys; must differ from the seller. */
            buyer: string;
            /** @description The product, by its id or exact name. */
            label: string;
            /** @description The id of the person who sells. */
            seller: string;
        };
        NewFact: {
            /** @description What the fact is about, such as `founded`. */
            label?: string;
            /** @description The value: text, a number or a boolean. */
            value?: string | number | boolean;
        } & {
            [key: string]: unknown;
        };
        NewFile: {
            /** @description The content in base64. */
            content: string;
            /** @description The name of the file, in one line. */
            name: string;
            /** @description The media type, such as `application/pdf`. */
            type: string;
        };
        NewHold: {
            /** @description When the hold ends; by default it lasts until it is released. */
            until?: string | null;
            /** @description Why, for the team to read. */
            why?: string | null;
        };
        NewLabel: {
            /** @description The name of the label; it is created if it is not in use yet. */
            name: string;
        };
        NewMaterial: {
            /** @description The text. */
            text?: string | null;
            /** @description The title of the text. */
            title?: string | null;
        } & {
            [key: string]: unknown;
        };
        NewMeeting: {
            /** @description The agenda; the description in invitations. */
            agenda?: string | null;
            /** @description The id of the calendar; by default your own. */
            calendar?: string | null;
            /** @description True books nothing and only shows what would happen. */
            check?: boolean | null;
            /** @description The day in the time zone of the workspace, as YYYY-MM-DD. */
            day: string;
            /** @description The e-mail addresses of the guests, at most 20; each guest gets an invitation. */
            guests?: string[] | null;
            /**
             * @description The duration in minutes.
             *
             *     - `15`: a quarter of an hour.
             *     - `30`: half an hour.
             *     - `45`: three quarters of an hour.
             *     - `60`: an hour.
             *     - `90`: an hour and a half.
             *     - `120`: two hours.
             * @enum {integer}
             */
            minutes: 15 | 30 | 45 | 60 | 90 | 120;
            /** @description The time of day at which it starts, in the time zone of the workspace, as HH:MM. */
            start: string;
            /** @description The title of the meeting. */
            title: string;
        };
        NewMessage: {
            /** @description E-mail addresses that get a copy unseen by the others. For e-mail alone. */
            bcc?: string[] | null;
            /** @description E-mail addresses that get a copy; at most 50 recipients in all. For e-mail alone. */
            cc?: string[] | null;
            /** @description Files to attach: ids of files, or their content. At most 20, with 25 MB in all. */
            files?: (string | components["schemas"]["NewFile"])[] | null;
            /** @description The body in HTML, sent as given, without what mail programs drop, such as style sheets from elsewhere, which `leftOut` names. Scripts, event handlers, forms and `javascript:` are refused; `cid:NAME` shows the file of that name. For e-mail alone. */
            html?: string | null;
            /** @description The id of the message in this conversation that it answers; by default the last one received. */
            replyTo?: string | null;
            /** @description When to send it, with an offset; by default as soon as the queue reaches it. */
            sendAt?: string | null;
            /** @description Whether the member's signature is put below the text and the HTML; by default not. */
            signature?: boolean | null;
            /** @description The subject, in one line; by default that of the thread after “Re:”, or the first line of the text in a new one. */
            subject?: string | null;
            /** @description The text of the message; by default the words of `html`. At least one of both is required. */
            text?: string | null;
            /** @description The address of the client to send it to; by default the one from which they wrote the message that it answers. */
            to?: string | null;
            /** @description Our account to send it through, by the id of its connection or its address; by default that of the conversation. */
            via?: string | null;
        };
        NewNote: {
            /** @description The note. */
            text: string;
        };
        NewPerson: {
            /** @description The city they live or work in; with a known `externalId`, an empty text erases it. */
            city?: string | null;
            /** @description The company they work for, as text; with a known `externalId`, an empty text erases it. */
            company?: string | null;
            /** @description An e-mail address; an empty text means none. */
            email?: string | null;
            /** @description All e-mail addresses, in order: letters go to `email`, if it is given, otherwise to the first of these. */
            emails?: string[] | null;
            /** @description The id that your own system gives them, unique in the workspace. */
            externalId?: string | null;
            /** @description Fields of your own: at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`. */
            fields?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** @description The id of a person to add these addresses to, instead of creating one. */
            into?: string | null;
            /** @description What they do at their company; with a known `externalId`, an empty text erases it. */
            jobTitle?: string | null;
            /** @description The address of a profile in a professional network; an empty text means none. */
            linkedin?: string | null;
            /** @description The name; by default the one before an address, as in `Ana Ruiz <ana@example.test>`. With a known `externalId`, an empty text erases it. */
            name?: string | null;
            /** @description A phone number, preferably with the country code; an empty text means none. */
            phone?: string | null;
            /** @description All phone numbers, in order, after `phone`. */
            phones?: string[] | null;
            /** @description Products to tag them with, each with a side. Tags that are there already stay. */
            tags?: components["schemas"]["NewTag"][] | null;
        };
        NewSegment: {
            /** @description The name; by default the query, or its rules. */
            name?: string | null;
            /** @description Who belongs to it, in words; may be left out where a rule has a `field`, or with `segment`. */
            query?: string | null;
            /** @description Whether the service adds matching people by itself; by default false. */
            refill?: boolean | null;
            /** @description Rules that narrow the query. */
            rules?: components["schemas"]["NewSegmentRule"][] | null;
            /** @description The id of a segment to continue judging; send its query again. */
            segment?: string | null;
        };
        NewSegmentRule: {
            /** @description It is a number of at least this, in a field of your own. */
            atLeast?: number | null;
            /** @description It is a number of at most this, in a field of your own. */
            atMost?: number | null;
            /** @description Whether the card has a value there at all. */
            exists?: boolean | null;
            /** @description The member of the card that it is about: `company`, `city`, `jobTitle`, `tag`, `externalId`, or `fields.` and the name of a field of your own. All that is said of it must hold, and `text` too if it is given. */
            field?: string | null;
            /** @description It has one of these values. `company`, `city` and `jobTitle` are compared regardless of case; a `tag` is a product, by its id or exact name. */
            in?: (string | number | boolean)[] | null;
            /**
             * @description Whether the rule includes or excludes people.
             *
             *     - `only`: only people to whom it applies.
             *     - `except`: nobody to whom it applies.
             * @enum {string}
             */
            kind: "only" | "except";
            /** @description The rule, in words; with `field`, it may be left out. */
            text?: string | null;
        } & {
            [key: string]: unknown;
        };
        NewSuppression: {
            /** @description An e-mail address, a phone number or a profile address. */
            address: string;
        };
        NewTag: {
            /** @description The product, by its id or exact name. */
            label: string;
            /**
             * @description The person's side of the product.
             *
             *     - `buyer`: a client, who buys it.
             *     - `seller`: a partner, who sells it.
             * @enum {string}
             */
            side: "buyer" | "seller";
        };
        NewTask: {
            /** @description When the agent writes to the client, which needs the scope `send`; without it, or with null, the text is kept as an instruction. */
            due?: string | null;
            /** @description What the agent should do, in words. */
            text: string;
        };
        NewTemplate: {
            /** @description The text in HTML, in Liquid; values stand in it as text, whatever they hold. */
            html?: string | null;
            /** @description The place of the letters that are made from it: 1, 2 or 3. */
            place: number;
            /** @description The subject, in Liquid. At places 2 and 3 it may be empty: it is that of the thread. */
            subject?: string | null;
            /** @description The text, in Liquid. */
            text: string;
            /**
             * @description Which variant of the place it is; by default a.
             *
             *     - `a`: the first.
             *     - `b`: the second.
             *     - `c`: the third.
             *     - `d`: the fourth.
             */
            variant?: ("a" | "b" | "c" | "d") | null;
            /** @description Its share of the people, compared with the other variants; by default 1. */
            weight?: number | null;
        };
        NewWebhook: {
            /** @description Whether events are sent; by default true. */
            enabled?: boolean | null;
            /** @description The kinds of events to send, such as `message.received`, or `message.*` for all of a group; an empty list means all. */
            kinds?: string[] | null;
            /** @description The http or https address to send events to. */
            url: string;
        };
        Note: {
            /** @description When it was written. */
            at: string;
            /** @description The id of the member who wrote it. */
            author: string;
            /** @description The id of the conversation. */
            conversation: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The note. */
            text: string;
        };
        Notification: {
            /** @description When it was created. */
            at: string;
            /** @description The id of the conversation it is about; null if it is about none. */
            conversation: string | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description What it is about, such as `reply`, `message.failed`, `touch.unconfirmed` or `conversation.assigned`. */
            kind: string;
            /** @description Whether it was marked as read. */
            read: boolean;
            /** @description The text of the notification. */
            text: string;
        };
        NotificationList: {
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description Your notifications, newest first. */
            notifications: components["schemas"]["Notification"][];
        };
        NotificationSelection: {
            /** @description The ids of the notifications to mark; by default all unread ones. */
            ids?: string[] | null;
        };
        NotificationsRead: {
            /** @description The number of them that were unread. */
            read: number;
        };
        OpenedConversation: {
            /** @description The conversation. */
            conversation: components["schemas"]["Conversation"];
            /** @description Its first message. */
            message: components["schemas"]["QueuedMessage"];
        };
        Operation: {
            /** @description When the call was accepted. */
            acceptedAt: string;
            /** @description When it ended; null until then. */
            endedAt: string | null;
            /** @description The id of the operation: the workspace and the key. */
            id: string;
            /** @description What is carried out: a workflow such as `sendMessage`, or the action of a change. */
            kind: string;
            /** @description The progress; null if it is not counted. */
            progress: components["schemas"]["OperationProgress"] | null;
            /** @description Its result, with its members in the order of the answer of its call; null before its end. */
            result: unknown;
            /** @description When it started; null until then. */
            startedAt: string | null;
            /**
             * @description The state of the operation.
             *
             *     - `accepted`: it is recorded and will be started.
             *     - `running`: it is being carried out.
             *     - `waiting`: it waits until a certain time, or for a person.
             *     - `done`: it was carried out.
             *     - `failed`: it could not be carried out.
             *     - `cancelled`: it was cancelled.
             */
            state: string;
            /** @description When it continues by itself; null if unknown. */
            until: string | null;
            /**
             * @description What it waits for, as a stable code; null if it does not wait.
             *
             *     - `send_at`: the time at which the message is to be sent.
             *     - `turn`: an earlier message of the conversation.
             *     - `next_try`: the next attempt, because the server deferred it.
             *     - `connection`: an account that cannot be opened.
             *     - `resolve`: a person who decides whether it arrived.
             *     - `restart`: an operator who restarts it.
             *     - `due`: the time of the task.
             *     - `hours`: the hours of the agent.
             *     - `model`: the model that writes.
             *     - `snooze`: the end of the snooze.
             *     - `calendar`: the server of the calendar.
             *     - `held`: the end of a hold of an operator or of the administration.
             */
            waitingFor: string | null;
            /** @description The reason of the hold; absent unless it waits for the end of one. */
            why?: string;
            /** @description The Temporal workflow that carries it out; null if there is none. */
            workflow: components["schemas"]["OperationWorkflow"] | null;
        };
        OperationList: {
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description The operations, newest first. */
            operations: components["schemas"]["Operation"][];
        };
        OperationProgress: {
            /** @description The amount that is done. */
            done: number;
            /** @description The amount in all. */
            total: number;
        };
        OperationWorkflow: {
            /** @description The id of the workflow. */
            id: string;
            /** @description The id of its run; null until it starts. */
            runId: string | null;
            /** @description Its page in the Temporal Web UI; null if there is none. */
            url: string | null;
        };
        OwnerCount: {
            /** @description The open ones that they own; at most 10000. */
            count: number;
            /** @description The id of the member. */
            member: string;
        };
        PeopleBulk: {
            /**
             * @description What given members do to a card that there is already.
             *
             *     - `complete`: they fill what is empty; this is the default.
             *     - `update`: they replace what stands there, and given addresses come first.
             */
            mode?: ("complete" | "update") | null;
            /** @description The people, each with the members of `POST /people`. */
            people: components["schemas"]["NewPerson"][];
        };
        PeopleBulkResult: {
            /** @description At most 20 reasons for a refusal; absent if there was none. */
            errors?: components["schemas"]["ItemProblem"][];
            /** @description The place of the person in the call, from 0. */
            index: number;
            /**
             * @description What became of the person.
             *
             *     - `created`: a new card was made.
             *     - `completed`: a card has gained something, with the mode `complete`.
             *     - `updated`: a card was changed, with the mode `update`.
             *     - `same`: the card says all of it already.
             *     - `refused`: nothing was written; see `errors`.
             */
            outcome: string;
            /** @description The id of the card; absent if refused. */
            person?: string;
        };
        PeopleBulkResults: {
            /** @description What became of each person, in the order of the call. */
            results: components["schemas"]["PeopleBulkResult"][];
        };
        PeopleFile: {
            /** @description The content in base64: CSV, XLSX or visiting cards (vCard), at most 3 MB before it is encoded. */
            content: string;
            /** @description The name of the file; the kind of file is determined by the content alone. */
            name: string;
        } & {
            [key: string]: unknown;
        };
        PeopleImport: {
            /** @description Corrections of the recognised columns, as the plan shows them; those not named stay as recognised. */
            columns?: components["schemas"]["ColumnChoice"][] | null;
            /** @description True writes the people; otherwise the answer is a plan, and nothing is written. */
            commit?: boolean | null;
            /** @description The file with the people. */
            file: components["schemas"]["PeopleFile"];
            /** @description The row of the headings, counted from 1, if it is not the one that the plan names; 0 if the file has none. */
            headings?: number | null;
            /**
             * @description How values of the file change a known person; empty cells change nothing.
             *
             *     - `complete`: they fill only what is empty; this is the default.
             *     - `update`: they also replace what is there.
             */
            mode?: ("complete" | "update") | null;
            /** @description The country of phone numbers without a country code, as two letters (ISO 3166); by default that of the workspace, if it has one. */
            region?: string | null;
            /** @description The name of the sheet to read, of those in `sheets` of the plan; by default the one that looks most like people. */
            sheet?: string | null;
        };
        Person: {
            /** @description The city they live or work in. */
            city: string;
            /** @description The company they work for, as text. */
            company: string;
            /** @description When it was created. */
            createdAt: string;
            /** @description The first of `emails`, to which letters are sent; empty if there is none. */
            email: string;
            /** @description All e-mail addresses; letters are sent to the first one. */
            emails: string[];
            /** @description The id that your own system gave them; null if there is none. */
            externalId: string | null;
            /** @description Fields of your own: text, numbers, true or false, by name. */
            fields: {
                [key: string]: string | number | boolean;
            };
            /** @description The hold on the letters of all campaigns to them; null if there is none. */
            held: components["schemas"]["Hold"] | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description What they do at their company. */
            jobTitle: string;
            /** @description The address of their profile in a professional network; empty if there is none. */
            linkedin: string;
            /** @description The id of this card, where a card that has become part of it was asked for; otherwise absent. */
            mergedInto?: string;
            /** @description The name; empty if unknown. */
            name: string;
            /** @description The first of `phones`; empty if there is none. */
            phone: string;
            /** @description All phone numbers, in E.164 format where possible. */
            phones: string[];
            /** @description Tags that were removed; they stay on record. */
            removedTags: components["schemas"]["RemovedTag"][];
            /** @description Those of their addresses that must not be written to; see `GET /suppressions`. */
            suppressed: components["schemas"]["SuppressedAddress"][];
            /** @description The products they are currently tagged with. */
            tags: components["schemas"]["PersonTag"][];
            /** @description When it was last changed. */
            updatedAt: string;
        };
        PersonExport: {
            /** @description The addresses, as they are compared and as they were given. */
            addresses: {
                [key: string]: unknown;
            }[];
            /** @description What calls changed in their card and in their conversations. */
            audit: {
                [key: string]: unknown;
            }[];
            /** @description Their conversations, with the names of the labels. */
            conversations: {
                [key: string]: unknown;
            }[];
            /** @description The deals in which they sell or buy. */
            deals: {
                [key: string]: unknown;
            }[];
            /** @description When the export was begun. */
            exportedAt: string;
            /** @description The files of these messages; `content` is in base64. */
            files: {
                [key: string]: unknown;
            }[];
            /** @description The rows of imported files that led to their card. */
            imports: {
                [key: string]: unknown;
            }[];
            /** @description Letters of campaigns to them, whatever became of them. */
            letters: {
                [key: string]: unknown;
            }[];
            /** @description Letters to them that members had sent to themselves to look at. */
            letterTests: {
                [key: string]: unknown;
            }[];
            /** @description The meetings that one of their addresses was invited to. */
            meetings: {
                [key: string]: unknown;
            }[];
            /** @description The cards that have become part of theirs. */
            merged: {
                [key: string]: unknown;
            }[];
            /** @description The messages of these conversations, newest first, with their HTML. */
            messages: {
                [key: string]: unknown;
            }[];
            /** @description The notes that members wrote in these conversations. */
            notes: {
                [key: string]: unknown;
            }[];
            /** @description The card, as `GET /people/{id}` answers it. */
            person: components["schemas"]["Person"];
            /** @description What the operator’s list of prospects says of them. */
            prospects: {
                [key: string]: unknown;
            }[];
            /** @description The segments that they were judged for, with the reasons. */
            segments: {
                [key: string]: unknown;
            }[];
            /** @description Why their addresses must not be written to. */
            suppressions: {
                [key: string]: unknown;
            }[];
            /** @description The products they are or were tagged with. */
            tags: {
                [key: string]: unknown;
            }[];
            /** @description The tasks that members gave to agents in these conversations. */
            tasks: {
                [key: string]: unknown;
            }[];
        };
        PersonList: {
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description The people in order of name, those without a name first. */
            people: components["schemas"]["Person"][];
        };
        PersonMerge: {
            /** @description The ids of the other cards of this person, which become part of this one. */
            from: string[];
        };
        PersonSplit: {
            /** @description E-mail addresses of the card that belong to somebody else. */
            emails?: string[] | null;
            /** @description Phone numbers of the card that belong to somebody else. */
            phones?: string[] | null;
        };
        PersonTag: {
            /** @description The id of the product. */
            label: string;
            /**
             * @description Their side of the product.
             *
             *     - `buyer`: they buy it, as a client.
             *     - `seller`: they sell it, as a partner.
             */
            side: string;
        };
        PersonUpdate: {
            /** @description The city; an empty text erases it. */
            city?: string | null;
            /** @description The company; an empty text erases it. */
            company?: string | null;
            /** @description All e-mail addresses, in order: letters go to the first one. Those left out are removed. */
            emails?: string[] | null;
            /** @description The id that your own system gives them, unique in the workspace; null removes it. */
            externalId?: string | null;
            /** @description Fields of your own, added to those that are there; null removes one. A person has at most 100, each with a name of up to 60 letters, digits, spaces, `_` and `-`. */
            fields?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** @description Holds the letters of all campaigns to this person; null releases them. */
            held?: components["schemas"]["NewHold"] | null;
            /** @description The job title; an empty text erases it. */
            jobTitle?: string | null;
            /** @description The name; an empty text erases it. */
            name?: string | null;
            /** @description All phone numbers, in order. Those left out are removed. */
            phones?: string[] | null;
        };
        PreparedLetters: {
            /** @description The example letters, in order of place. */
            letters: components["schemas"]["Letter"][];
            /** @description The letter that was asked for; only with `preview`. */
            preview?: components["schemas"]["LetterPreview"];
            /** @description The templates, in order of place and variant. */
            templates: components["schemas"]["Template"][];
            /** @description What became of the test; only with `test`. */
            test?: components["schemas"]["LetterTest"];
        };
        Problem: {
            /** @description With `invalid_state`: what the state would allow; empty if it allows nothing. */
            allowed?: string[];
            /** @description With `contact_ambiguous` and `sender_ambiguous`: who comes into question. Send one of them. */
            candidates?: components["schemas"]["Candidate"][];
            /**
             * @description Why the call was refused. Codes are stable, the texts are not.
             *
             *     - `malformed_request`: The request is not valid HTTP. Check what the client actually sends.
             *     - `malformed_json`: The body is not JSON in UTF-8. Check what the client actually sends.
             *     - `invalid_query`: A parameter of the address is unknown, given twice or not valid. `errors` names it.
             *     - `invalid_cursor`: The cursor is not from an answer of this list. Start again without a cursor, and send `next` back unchanged.
             *     - `idempotency_key_missing`: Every change needs the header `Idempotency-Key`. Send a new key for each call, for instance a UUID.
             *     - `idempotency_key_invalid`: The key must have 1 to 255 visible ASCII characters. A UUID always fits.
             *     - `token_missing`: Send `Authorization: Bearer <ACCESS_TOKEN>` with every call.
             *     - `invalid_token`: The token is mistyped, was revoked, or belongs to another deployment. The operator creates tokens with `npm run -s token -- create`.
             *     - `token_expired`: The token is no longer valid. Ask the operator for a new one.
             *     - `insufficient_scope`: The token lacks a scope that the call needs; `scopes` names all the scopes it needs. Ask the operator for a token with these scopes.
             *     - `not_found`: Nothing in this workspace has the id in the address. It may have been deleted, or belong to another workspace.
             *     - `no_such_route`: There is no such address. Compare it with this reference; the path includes the version.
             *     - `method_not_allowed`: The address does not accept this method; the header `Allow` names those it accepts.
             *     - `request_timeout`: The body took too long to arrive. Send the same call again with the same key.
             *     - `changed_meanwhile`: The resource is not any more what its `ETag` in `If-Match` stands for. Read it, and send what is to be done now; the call may have the same key.
             *     - `body_too_large`: The body is larger than this call accepts. Send less in one call.
             *     - `file_too_large`: The file is larger than this call accepts. Split it into several files.
             *     - `unsupported_media_type`: Send the body as `application/json`, without compression.
             *     - `range_not_satisfiable`: The range lies outside the file. `Content-Range` gives the size of the file.
             *     - `idempotency_in_progress`: A call with this key is still being carried out. Send it again after `Retry-After` seconds, with the same key.
             *     - `conflict`: Another resource has what this one is to have, or two would become one. `errors` names the members, and `people` the cards; change one of them first.
             *     - `merged`: The card has become part of another one, which `mergedInto` names. Send the call for that one, with a new key.
             *     - `invalid_state`: The resource is in a state that does not allow this. `state` names its state, `allowed` what would be allowed.
             *     - `campaign_incomplete`: The campaign is not ready to start. `missing` names what it needs.
             *     - `letter_not_written`: A letter can be agreed only after it was written from the current brief. Write it, read it, then agree it.
             *     - `segment_in_use`: A running or paused campaign uses the segment. End the campaign, or pause it and give it another segment.
             *     - `validation_failed`: The body is not valid. `errors` names each wrong member by its pointer. Correct them and send the call again; it may have the same key.
             *     - `idempotency_key_reused`: The key was used for another call. Use a new key for each new call.
             *     - `recipient_suppressed`: The address is suppressed after a complaint or a bounce, or by an operator, and must not be written to. `GET /suppressions` gives the reason.
             *     - `contact_ambiguous`: Several addresses or people come into question, or the last message asks for answers at another address than its own. Each of `candidates` has the `id` of the person (null if the address is on no card), the address as `account`, and the `name`: send one `account` as `to`, or one `id` as `person`.
             *     - `sender_ambiguous`: Several accounts match, or none. Each of `candidates` has `id`, `account` and `name`: send one `id` or `account` as `via`.
             *     - `no_contact`: The person has no address on this channel. Add one first.
             *     - `erased`: The person was erased: nothing more is written to them, and they are not brought back. With 410, the answer that was stored held something of them, or something that is past the retention of its workspace, and is gone.
             *     - `time_in_past`: The time has passed. Times need an offset, and a time up to a minute ago means now.
             *     - `local_time_missing`: The clocks skip this time of day on that day. Choose another time.
             *     - `login_failed`: A mail server of the account refused the login. `errors` has its own words. Correct the password, or do what the provider asks for, and call again with another key.
             *     - `server_unreachable`: A mail server of the account could not be reached on the public internet, or offers no connection that is safe. Check host and port.
             *     - `private_address`: The host belongs to a private network or to the machine itself. Name one on the public internet.
             *     - `unreadable_file`: The content cannot be read; `errors` says what it is, or what is wrong with it. Files of people are CSV, workbooks (.xlsx) and visiting cards (vCard).
             *     - `secret_needed`: A password or secret stays only where it was given for: with another server, port, TLS or user it has to be given again. `errors` names it.
             *     - `needs_successor`: Something is theirs that somebody has to take over. `errors` says what; name another member as `to`.
             *     - `quota_exceeded`: The workspace has as many of something as its operator allows: `quota` says of what, `most` how many, and `used` how many it has. With 429 there may be room by itself after `Retry-After` seconds; with 422 somebody has to make room, and the call may then be sent again with the same key.
             *     - `rate_limited`: The token has reached its limit of calls per minute, or too many of its calls are still open. Wait `Retry-After` seconds, then continue.
             *     - `headers_too_large`: The headers of the request are too large. Send fewer, or shorter ones.
             *     - `internal`: Something went wrong here, and it is logged under `requestId`. Send the same call again with the same key; if it keeps failing, tell the operator.
             *     - `provider_failed`: Another service that the call needs has failed. Send the same call again later, with the same key.
             *     - `unavailable`: The service cannot do this at the moment. Send the same call again after `Retry-After` seconds, with the same key.
             *     - `still_running`: The work continues. Send the same call again with the same key, or read `GET /operations/{key}`.
             */
            code: string;
            /** @description With `conflict`: the id of the connection that has the address already. */
            connection?: string;
            /** @description What is wrong with this call. */
            detail: string;
            /** @description What is wrong, one entry for each member or parameter. */
            errors?: components["schemas"]["ProblemItem"][];
            /** @description The path that was called. */
            instance: string;
            /** @description With `merged`: the id of the card that this one has become part of. */
            mergedInto?: string;
            /** @description With `campaign_incomplete`: what the campaign needs. */
            missing?: components["schemas"]["MissingPart"][];
            /** @description With `quota_exceeded`: how many it may have at once. */
            most?: number;
            /** @description With `conflict`: the ids of the cards that are in each other's way. */
            people?: string[];
            /** @description With `quota_exceeded`: what the workspace has too many of. */
            quota?: string;
            /** @description Identifies the call in the log: include it when you ask the operator. */
            requestId: string;
            /** @description Whether the same call is worth repeating, with the same key. */
            retryable: boolean;
            /** @description With `insufficient_scope`: all the scopes that the call needs. */
            scopes?: string[];
            /** @description With `invalid_state`: the state that the resource is in. */
            state?: string;
            /** @description The HTTP status of the answer. */
            status: number;
            /** @description What refusals of this status have in common. */
            title: string;
            /** @description A URN that ends with the `code`. */
            type: string;
            /** @description With `quota_exceeded`: how many it has. */
            used?: number;
        };
        ProblemItem: {
            /** @description What is wrong with it, as a stable code. */
            code: string;
            /** @description What is wrong with it, in words. */
            message: string;
            /** @description The parameter of the address. */
            parameter?: string;
            /** @description The place in the body, as a JSON pointer (RFC 6901). */
            pointer?: string;
        };
        Product: {
            /** @description Its conditions, as pairs of a key and a value, each with its side. */
            conditions: components["schemas"]["Condition"][];
            /** @description The description of the product. */
            description: string;
            /**
             * @description What we want to achieve with a client.
             *
             *     - `demo`: a demonstration.
             *     - `sale`: a sale.
             *     - `partnership`: a partnership.
             */
            goal: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The countries it is for, as ISO codes. */
            markets: string[];
            /** @description The name of the product. */
            name: string;
            /**
             * @description Our side of the product.
             *
             *     - `sell`: we sell it.
             *     - `buy`: we buy it.
             *     - `both`: we do both.
             */
            side: string;
        };
        ProductList: {
            /** @description Always null: this list answers everything at once. */
            next: string | null;
            /** @description All products of the workspace. */
            products: components["schemas"]["Product"][];
        };
        ProductUpdate: {
            /** @description Its conditions, as pairs `{key, value, side}` or `{price: "49 EUR"}`; they replace the present ones. */
            conditions?: components["schemas"]["NewCondition"][] | null;
            /** @description The description of the product. */
            description?: string | null;
            /**
             * @description What we want to achieve with a client.
             *
             *     - `demo`: a demonstration.
             *     - `sale`: a sale.
             *     - `partnership`: a partnership.
             */
            goal?: ("demo" | "sale" | "partnership") | null;
            /**
             * @description Our side of the product.
             *
             *     - `sell`: we sell it.
             *     - `buy`: we buy it.
             *     - `both`: we do both.
             */
            side?: ("sell" | "buy" | "both") | null;
        };
        Proposal: {
            /** @description The recommended kind of channel: the one that reaches most of them. */
            channel: string;
            /** @description The kinds of channel that reach somebody in it. */
            channels: string[];
            /** @description The proposed name. */
            name: string;
            /** @description The product it is for. */
            product: components["schemas"]["Label"];
            /** @description Who would belong to it, in words. */
            query: string;
            /** @description The size it would have. */
            size: components["schemas"]["ProposalSize"];
            /** @description Why it is proposed. */
            why: string;
        };
        ProposalAnswer: {
            /** @description True moves the meeting to the proposed time, false declines the proposal. */
            accept: boolean;
        };
        ProposalList: {
            /** @description Always null: this list answers everything at once. */
            next: string | null;
            /** @description All proposals, in order of product. */
            proposals: components["schemas"]["Proposal"][];
        };
        ProposalSize: {
            /** @description When they were counted. */
            at: string;
            /** @description Matching people. */
            contacts: number;
            /** @description People who have not been written to for 60 days. */
            fresh: number;
            /** @description The number of them that each kind of channel reaches. */
            reach: {
                [key: string]: number;
            };
        };
        QueuedMessage: {
            /** @description The addresses that get a copy unseen by the others. */
            bcc: string[];
            /** @description The addresses that get a copy. */
            cc: string[];
            /** @description The id of the conversation. */
            conversation: string;
            /** @description The number of attached files, inline images included. */
            files: number;
            /** @description Whether it has HTML beside the text. */
            html: boolean;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description What the HTML was given with and is sent without, such as a style sheet from elsewhere, in words; absent if there is nothing, and wherever the message is read later. */
            leftOut?: string[];
            /** @description The Message-ID of the mail; null until it is handed over. */
            messageId: string | null;
            /** @description The reason for its state, as a stable code such as `refused`, `undeliverable`, `bounced` or `unconfirmed`; null otherwise. */
            reason: string | null;
            /** @description The recipients in `cc` and `bcc` that the server refused when it took the message; absent if there are none. */
            refused?: components["schemas"]["RefusedRecipient"][];
            /** @description When it is to be sent; null if no time was given. */
            sendAt: string | null;
            /** @description When it was sent; null until then. */
            sentAt: string | null;
            /**
             * @description The state of the message.
             *
             *     - `queued`: it waits for its time or its turn.
             *     - `sending`: it is being sent, or it may or may not have arrived.
             *     - `sent`: the account's server accepted it.
             *     - `failed`: it was not sent, or it bounced.
             *     - `cancelled`: it was cancelled before it was sent.
             */
            state: string;
            /** @description The subject. */
            subject: string;
            /** @description The text. */
            text: string;
            /** @description The address it is sent to. */
            to: string;
            /** @description The id of the connection it is sent through. */
            via: string;
        };
        RefusedRecipient: {
            /** @description The address. */
            address: string;
            /** @description The server's status code, such as `5.1.1`; `suppressed` if it must not be written to. */
            code: string;
        };
        RemovedTag: {
            /** @description The id of the product. */
            label: string;
            /** @description When the tag was removed. */
            removedAt: string;
            /**
             * @description Their former side of the product.
             *
             *     - `buyer`: they bought it, as a client.
             *     - `seller`: they sold it, as a partner.
             */
            side: string;
        };
        ReplyAddress: {
            /** @description The address. */
            address: string;
            /** @description The name beside the address; empty if there is none. */
            name: string;
        };
        Resolution: {
            /**
             * @description What becomes of it.
             *
             *     - `sent`: it arrived, and counts as sent.
             *     - `again`: it did not arrive, and is sent once more, under the same Message-ID.
             * @enum {string}
             */
            outcome: "sent" | "again";
        };
        Routing: {
            /** @description Whether new conversations get an owner automatically. */
            enabled: boolean;
            /** @description The rules in order; the first one that matches decides. */
            rules: components["schemas"]["RoutingRule"][];
        };
        RoutingRule: {
            /**
             * @description The part of a conversation that the rule checks.
             *
             *     - `label`: a label on the conversation, or a product tag of the person.
             *     - `side`: the person's side of a product.
             *     - `product`: a product the person is tagged with.
             *     - `sender`: the address or domain of the client, or our account.
             *     - `company`: our company for which the agent writes.
             *     - `agent`: the agent that writes in the conversation.
             */
            field: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The id of the member who gets the conversation. */
            member: string;
            /** @description The value to match: an id, an address or `@domain`, or a side. */
            value: string;
        };
        RoutingRun: {
            /** @description The `cursor` of the previous answer, to continue. */
            cursor?: string | null;
            /**
             * @description Which conversations to include, by their last message.
             *
             *     - `all`: all conversations.
             *     - `quarter`: the last 90 days.
             *     - `month`: the last 30 days.
             *     - `week`: the last 7 days.
             */
            depth?: ("all" | "quarter" | "month" | "week") | null;
            /** @description The `floor` of the previous answer, to continue. */
            floor?: string | null;
            /** @description The id of the only rule to apply; by default all rules in order. */
            rule?: string | null;
        };
        RoutingRunResult: {
            /** @description Where to continue, in another call with a new key; null when nothing is left. */
            cursor: string | null;
            /** @description The limit of the period, to be sent with `cursor`; null when nothing is left. */
            floor: string | null;
            /** @description The number of conversations that got an owner. */
            handed: number;
            /** @description The number of conversations that were checked. */
            seen: number;
        };
        RoutingUpdate: {
            /**
             * @description The action.
             *
             *     - `add`: add a rule at the end, by `field`, `value` and `member`.
             *     - `drop`: delete `rule`.
             *     - `up`: move `rule` one place up.
             *     - `down`: move `rule` one place down.
             *     - `order`: put all rules into the order given by `rules`.
             *     - `switch`: turn routing on or off, by `enabled`.
             * @enum {string}
             */
            do: "add" | "drop" | "up" | "down" | "order" | "switch";
            /** @description Whether new conversations get an owner automatically. */
            enabled?: boolean | null;
            /**
             * @description The part of a conversation that the new rule checks.
             *
             *     - `label`: a label on the conversation, or a product tag of the person.
             *     - `side`: the person's side of a product.
             *     - `product`: a product the person is tagged with.
             *     - `sender`: the address or domain of the client, or our account.
             *     - `company`: our company for which the agent writes.
             *     - `agent`: the agent that writes in the conversation.
             */
            field?: ("label" | "side" | "product" | "sender" | "company" | "agent") | null;
            /** @description The id of the member who gets the conversation. */
            member?: string | null;
            /** @description The id of the rule to change. */
            rule?: string | null;
            /** @description The ids of all rules in their new order. */
            rules?: string[] | null;
            /** @description The value to match: the id or name of the label, product, company or agent, an address, `@domain` or connection, or `buyer` or `seller`. */
            value?: string | null;
        };
        RowProblem: {
            /**
             * @description What is wrong, as a stable code.
             *
             *     - `invalid_email`: it is not an e-mail address.
             *     - `invalid_phone`: it is not a phone number.
             *     - `invalid_linkedin`: it is not a profile address.
             *     - `rounded_number`: a spreadsheet has rounded it, and its last digits are lost.
             *     - `shared_address`: the address stands in rows of different names, so it is nobody’s here and joins nobody.
             *     - `no_region`: a number has no country code, and there is no `region`; a warning, once for each column.
             *     - `too_long`: it is too long and was left out.
             *     - `no_contact`: the row has no address of any kind, and no id of your own.
             *     - `matches_two`: its id and addresses lead to two different people.
             *     - `erased`: the person was erased, and is not brought back.
             *     - `no_rows`: the file has nobody below this row, that of its headings.
             *     - `too_many_columns`: a hundred other columns are fields of your own already, and this one was left out; `row` is that of the headings.
             *     - `too_many_fields`: the person has 100 fields already, and the others were left out.
             */
            code: string;
            /** @description The heading of the column; null if the problem concerns the whole row. */
            column: string | null;
            /** @description What is wrong, in words. */
            message: string;
            /** @description The row of the file, counted from 1 and including the headings. */
            row: number;
        };
        SampleRow: {
            /** @description The city that was read. */
            city: string;
            /** @description The company that was read. */
            company: string;
            /** @description The e-mail address that was read. */
            email: string;
            /** @description The id of your own that was read. */
            externalId: string | null;
            /** @description The fields of your own that were read. */
            fields: {
                [key: string]: string | number | boolean;
            };
            /** @description The job title that was read. */
            jobTitle: string;
            /** @description For a duplicate, the earlier row of the file that is about the same person. */
            joined: number | null;
            /** @description The profile address that was read. */
            linkedin: string;
            /** @description The name that was read. */
            name: string;
            /**
             * @description What would become of the row.
             *
             *     - `new`: a new person.
             *     - `update`: a known person is completed or changed.
             *     - `same`: a known person stays as they are.
             *     - `duplicate`: the same person as an earlier row.
             *     - `matches_two`: left out, because its addresses lead to two different people.
             *     - `erased`: left out, because the person was erased.
             */
            outcome: string;
            /** @description The id of the card that the row leads to; null if there is none yet. */
            person: string | null;
            /** @description The phone number that was read. */
            phone: string;
            /** @description The row of the file, counted from 1 and including the headings. */
            row: number;
        };
        SearchQuery: {
            /** @description Only what belongs to this conversation, by id. */
            conversation?: string;
            /** @description The `next` of the previous answer, unchanged. Leave it out or empty for the first page. */
            cursor?: string;
            /** @description Only from this time on, or from the beginning of this day. */
            from?: string;
            /**
             * @description Only messages that have this.
             *
             *     - `files`: at least one file.
             * @enum {string}
             */
            has?: "files";
            /**
             * @description Only results of this kind; may be given several times.
             *
             *     - `message`: a message, by its text without quotations, its subject and the names of its files.
             *     - `conversation`: a conversation, by its subject.
             *     - `person`: a person, by name, company and addresses.
             *     - `note`: a note of a member, by its text.
             */
            kind?: ("message" | "conversation" | "person" | "note")[];
            /** @description Only what belongs to conversations with this label, by its id or name. */
            label?: string;
            /** @description The most entries that the answer may hold. */
            limit?: number;
            /**
             * @description The order of the results.
             *
             *     - `newest`: the newest first.
             *     - `relevance`: the best of the newest 300 of each kind first.
             * @enum {string}
             */
            order?: "newest" | "relevance";
            /** @description Only what belongs to conversations of this member, by id; empty or `null` for those without an owner. */
            owner?: string;
            /** @description Only what belongs to this person, by id. */
            person?: string;
            /** @description What to look for: words, all of which are there, the last one as a beginning; `"words in quotes"` in that order; `-word` for what is not there. Addresses and numbers are found whole and in part. Case and accents do not matter. */
            q: string;
            /** @description Only before this time, or until the end of this day. */
            to?: string;
        };
        SearchResult: {
            /** @description When it was received or sent, written, begun, or added, depending on the kind. */
            at: string;
            /** @description The id of the conversation that it belongs to or is; null for a person. */
            conversation: string | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /**
             * @description What was found.
             *
             *     - `message`: a message, by its text without quotations, its subject and the names of its files.
             *     - `conversation`: a conversation, by its subject.
             *     - `person`: a person, by name, company and addresses.
             *     - `note`: a note of a member, by its text.
             */
            kind: string;
            /** @description Where the words stand in the snippet: the start and the end of each, counted in UTF-16 units as JavaScript counts; the end is behind the last one. */
            matches: number[][];
            /** @description The id of the person that it is about or is. */
            person: string | null;
            /** @description The text around the first match, on one line and at most 200 characters long. */
            snippet: string;
        };
        SearchResultList: {
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description What was found, in order. */
            results: components["schemas"]["SearchResult"][];
        };
        Segment: {
            /** @description When it was created. */
            createdAt: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The number of people in it. */
            members: number;
            /** @description The name; by default the query, or its rules. */
            name: string;
            /** @description Who belongs to it, in words; empty if its rules alone say it. */
            query: string;
            /** @description Whether the service adds matching people by itself. */
            refill: boolean;
            /** @description Rules that narrow the query. */
            rules: components["schemas"]["SegmentRule"][];
            /** @description Whether it is saved; false for a draft. */
            saved: boolean;
            /** @description When it was last changed. */
            updatedAt: string;
        };
        SegmentAddition: {
            /** @description The people, each by id, e-mail address, phone number or profile address. */
            people: string[];
        };
        SegmentCampaign: {
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The name of the campaign. */
            name: string;
            /**
             * @description The state of the campaign.
             *
             *     - `draft`: it has not started and writes to nobody.
             *     - `running`: it sends letters.
             *     - `paused`: it writes to nobody until it is resumed.
             *     - `done`: it has ended for good.
             */
            state: string;
        };
        SegmentDetails: {
            /** @description The campaigns that write to it. */
            campaigns: components["schemas"]["SegmentCampaign"][];
            /** @description When it was created. */
            createdAt: string;
            /** @description Why nobody was found, and what can be done, in words; absent if somebody belongs to it. */
            hint?: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The number of people in it. */
            members: number;
            /** @description The name; by default the query, or its rules. */
            name: string;
            /** @description Who belongs to it, in words; empty if its rules alone say it. */
            query: string;
            /** @description Whether the service adds matching people by itself. */
            refill: boolean;
            /** @description Rules that narrow the query. */
            rules: components["schemas"]["SegmentRule"][];
            /** @description Whether it is saved; false for a draft. */
            saved: boolean;
            /** @description When it was last changed. */
            updatedAt: string;
        };
        SegmentList: {
            /** @description Always null: this list answers everything at once. */
            next: string | null;
            /** @description All segments, newest first. */
            segments: components["schemas"]["Segment"][];
        };
        SegmentMember: {
            /** @description The city they live or work in. */
            city: string;
            /** @description The company they work for, as text. */
            company: string;
            /** @description When it was created. */
            createdAt: string;
            /** @description The first of `emails`, to which letters are sent; empty if there is none. */
            email: string;
            /** @description All e-mail addresses; letters are sent to the first one. */
            emails: string[];
            /** @description The id that your own system gave them; null if there is none. */
            externalId: string | null;
            /** @description Fields of your own: text, numbers, true or false, by name. */
            fields: {
                [key: string]: string | number | boolean;
            };
            /** @description The hold on the letters of all campaigns to them; null if there is none. */
            held: components["schemas"]["Hold"] | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description What they do at their company. */
            jobTitle: string;
            /** @description The address of their profile in a professional network; empty if there is none. */
            linkedin: string;
            /** @description The id of this card, where a card that has become part of it was asked for; otherwise absent. */
            mergedInto?: string;
            /** @description The name; empty if unknown. */
            name: string;
            /** @description The first of `phones`; empty if there is none. */
            phone: string;
            /** @description All phone numbers, in E.164 format where possible. */
            phones: string[];
            /** @description Tags that were removed; they stay on record. */
            removedTags: components["schemas"]["RemovedTag"][];
            /** @description Those of their addresses that must not be written to; see `GET /suppressions`. */
            suppressed: components["schemas"]["SuppressedAddress"][];
            /** @description The products they are currently tagged with. */
            tags: components["schemas"]["PersonTag"][];
            /** @description When it was last changed. */
            updatedAt: string;
            /** @description Why they belong to it. */
            verdict: components["schemas"]["Verdict"];
        };
        SegmentMemberList: {
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description The people of the segment, in order of name. */
            people: components["schemas"]["SegmentMember"][];
        };
        SegmentRule: {
            /** @description It is a number of at least this, in a field of your own. */
            atLeast?: number;
            /** @description It is a number of at most this, in a field of your own. */
            atMost?: number;
            /** @description Whether the card has a value there at all. */
            exists?: boolean;
            /** @description The member of the card that it is about: `company`, `city`, `jobTitle`, `tag`, `externalId`, or `fields.` and the name of a field of your own. All that is said of it must hold, and `text` too if it is given. */
            field?: string;
            /** @description It has one of these values. `company`, `city` and `jobTitle` are compared regardless of case; a `tag` is a product, by its id or exact name. */
            in?: (string | number | boolean)[];
            /**
             * @description Whether the rule includes or excludes people.
             *
             *     - `only`: only people to whom it applies.
             *     - `except`: nobody to whom it applies.
             */
            kind: string;
            /** @description The rule, in words. */
            text?: string;
        } & {
            [key: string]: unknown;
        };
        SegmentUpdate: {
            /** @description The name. */
            name?: string | null;
            /** @description Whether the service adds matching people by itself. */
            refill?: boolean | null;
            /** @description The id of a saved segment that this draft replaces: its campaigns move to this one, whoever was added to it or taken out of it by hand stays so, and it is deleted. */
            replaces?: string | null;
            /** @description True saves a draft. */
            saved?: boolean | null;
        };
        SenderCheck: {
            /** @description The id of the connection to check; by default all accounts. */
            connection?: string | null;
        };
        SendersHealth: {
            /** @description The sending accounts. */
            accounts: components["schemas"]["SendingAccount"][];
            /** @description Whether every account has been checked. */
            checked: boolean;
        };
        SendingAccount: {
            /** @description The address of the account. */
            account: string;
            /** @description The kind of the connection, such as `email`. */
            channel: string;
            /** @description The id of the connection. */
            connection: string;
            /** @description The health of the account, and the limits that follow from it. */
            health: components["schemas"]["AccountHealth"];
            /** @description How many letters of any kind have been sent. */
            used: components["schemas"]["SendingBudget"];
        };
        SendingBudget: {
            /** @description Per day. */
            day: number;
            /** @description Per week, from Monday. */
            week: number;
        };
        Subscription: {
            /** @description The paid period. */
            period: components["schemas"]["BillingPeriod"];
            /** @description The name of the plan; empty if unknown. */
            plan: string;
            /** @description The number of members that the plan allows. */
            seats: number;
            /** @description The status of the subscription, in the words of the operator; `none` if there is no subscription. */
            status: string;
        };
        SuppressedAddress: {
            /** @description One of their addresses. */
            address: string;
            /**
             * @description Why it must not be written to.
             *
             *     - `unsubscribe`: they have unsubscribed; campaigns do not write to them.
             *     - `bounce`: mail to it came back for good.
             *     - `complaint`: they have complained.
             *     - `operator`: an operator or a client has said so.
             */
            reason: string;
        };
        SuppressedRow: {
            /** @description The first e-mail address of the row, if any. */
            address: string | null;
            /** @description The heading of the column that says it. */
            column: string;
            /** @description The id of the card; null if the import would create it. */
            person: string | null;
            /**
             * @description The reason of the suppression, as at `GET /suppressions`.
             *
             *     - `unsubscribe`: the person wants no letters.
             *     - `bounce`: mail to the address came back.
             *     - `complaint`: the person has reported a letter as spam.
             */
            reason: string;
            /** @description The row of the file. */
            row: number;
        };
        Suppression: {
            /** @description The address that must not be written to. */
            address: string;
            /** @description When it was suppressed. */
            at: string;
            /** @description The id of the message that proves it, of the letter whose link was used, or of the import that said it; null if there is none. */
            evidence: string | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /**
             * @description Why.
             *
             *     - `unsubscribe`: the person wants no more campaign letters.
             *     - `bounce`: the address does not exist, or refuses mail for good.
             *     - `complaint`: a letter was marked as unwanted.
             *     - `operator`: it was suppressed by hand.
             */
            reason: string;
        };
        SuppressionCounts: {
            /** @description Addresses from which mail came back. */
            bounce: number;
            /** @description People who have reported a letter as spam. */
            complaint: number;
            /** @description People who want no letters. */
            unsubscribe: number;
        };
        SuppressionList: {
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description The entries, newest first. */
            suppressions: components["schemas"]["Suppression"][];
        };
        Task: {
            /** @description The id of the agent that did it; null until then. */
            agent: string | null;
            /** @description When it was given. */
            at: string;
            /** @description The id of the member who gave the task. */
            author: string;
            /** @description The id of the conversation it is about. */
            conversation: string;
            /** @description What it did, in its own words; null until then. */
            did: string | null;
            /** @description When it is due; null for an instruction, which is only kept. */
            due: string | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The id of the message it wrote; null if it wrote none. */
            message: string | null;
            /** @description The key with which `GET /operations/{key}` shows its progress. */
            operation: string;
            /** @description Why it failed or was cancelled, as a stable code such as `no_agent`, `no_contact`, `suppressed` or `spam`; null otherwise. */
            reason: string | null;
            /**
             * @description The state of the task.
             *
             *     - `queued`: it is still to be done.
             *     - `done`: it was done, or the instruction is kept.
             *     - `failed`: it could not be done.
             *     - `cancelled`: it was cancelled.
             */
            state: string;
            /** @description What the agent was asked to do, in words. */
            text: string;
            /** @description What the agent was told when it wrote; null until then. */
            told: {
                [key: string]: unknown;
            } | null;
        };
        Template: {
            /** @description The text in HTML, in Liquid; null without one. */
            html: string | null;
            /** @description The place of its letters: 1, 2 or 3. */
            place: number;
            /** @description The subject; empty where it is that of the thread. */
            subject: string;
            /** @description The text, in Liquid. */
            text: string;
            /** @description Which variant of the place it is: a, b, c or d. */
            variant: string;
            /** @description Its share of the people, compared with the other variants. */
            weight: number;
        };
        Touch: {
            /** @description The id of the letter as which it was sent anew; absent if it was not. */
            again?: string;
            /** @description Whether this letter may go as it is written, whatever has become of its place. */
            agreed: boolean;
            /** @description The status code given by the server or the report; null if there is none. */
            code: string | null;
            /** @description The id of the connection it is sent through; null until one is chosen. */
            connection: string | null;
            /** @description When it is due. */
            dueAt: string | null;
            /** @description The text in HTML; null if the letter is text alone. */
            html: string | null;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The Message-ID of the mail; null until it is handed over. */
            messageId: string | null;
            /** @description The variables of its template that have no value for the person, such as `person.city`; with the reason `template_failed`, the member of the template that failed: `subject`, `text` or `html`. Empty with any other reason. */
            missing: string[];
            /** @description The id of the person. */
            person: string;
            /** @description The place of the letter in the campaign: 1, 2 or 3. */
            place: number;
            /**
             * @description The reason for its state; null if there is none to give.
             *
             *     - `replied`: the person replied.
             *     - `unsubscribed`: the person unsubscribed.
             *     - `bounced`: an earlier letter bounced.
             *     - `suppressed`: the address must not be written to.
             *     - `no_contact`: the person has no address on this channel.
             *     - `refused`: the server refused the letter.
             *     - `undeliverable`: no server accepted the letter within four days.
             *     - `done`: the campaign ended.
             *     - `skipped`: somebody decided that it is not sent.
             *     - `left_segment`: the person left the segment of the campaign.
             *     - `held`: the letters to this person are held.
             *     - `missing_value`: variables of its template have no value for the person; `missing` names them.
             *     - `template_failed`: its template could not make it; `variant` and `missing` name the template and its member.
             *     - `unconfirmed`: the letter may or may not have arrived, so a person decides.
             */
            reason: string | null;
            /** @description What the server or the report said about its failure, in its own words; absent without. */
            said?: string;
            /** @description When it was sent; null until then. */
            sentAt: string | null;
            /**
             * @description The state of the letter.
             *
             *     - `queued`: it waits until it is due.
             *     - `review`: it is written and waits until its place is agreed.
             *     - `sending`: it is being sent, or it may or may not have arrived.
             *     - `sent`: it was sent.
             *     - `failed`: it was not sent, or it bounced.
             */
            state: string;
            /** @description Whether it failed because it was not wanted any more: its reason is `replied`, `unsubscribed`, `done`, `skipped` or `left_segment`. The funnel counts it as `skipped`, and other letters that failed as `failed`. */
            stopped: boolean;
            /** @description The subject; null until it is written. */
            subject: string | null;
            /** @description The text; null until it is written. */
            text: string | null;
            /** @description Which variant of its place the person got: a, b, c or d; null until its template was used, and without one. */
            variant: string | null;
            /** @description The Temporal workflow that delivers it; null if there is none. */
            workflow: components["schemas"]["TouchWorkflow"] | null;
        };
        TouchList: {
            /** @description The `cursor` of the next page; null on the last page. */
            next: string | null;
            /** @description The touches, in order of the time they are due. */
            touches: components["schemas"]["Touch"][];
        };
        TouchUpdate: {
            /** @description Whether this letter has been read and may go, also while its place is not agreed. */
            agreed?: boolean | null;
            /** @description The text in HTML, without scripts, event handlers, forms and `javascript:`. Without `text`, the text is made from it. */
            html?: string | null;
            /** @description Whether the letter is not to be sent: it fails with the reason `skipped`. After a second letter that is skipped, the third goes at its time; after a first one, the person gets no later letter of the campaign, since those come back to the first. Cannot be combined with other members. */
            skip?: boolean | null;
            /** @description The subject. Empty, it is that of the thread; a first letter must have one. If the letter has none yet, the default is that of its template or its thread, or the first line of the text. */
            subject?: string | null;
            /** @description The text, which replaces the HTML too unless that is given with it. */
            text?: string | null;
        };
        TouchWorkflow: {
            /** @description The id of the workflow. */
            id: string;
            /** @description Its page in the Temporal Web UI. */
            url: string;
        };
        UntagPersonQuery: {
            /** @description The product of the tag, by its id or exact name. */
            label?: string;
            /** @description The side of the tag. */
            side?: string;
        };
        UploadedFile: {
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The name of the file, as its sender gave it. */
            name: string;
            /** @description The size in bytes. */
            size: number;
            /** @description The media type, as its sender gave it. */
            type: string;
        };
        VariantNumbers: {
            /** @description Those of them who are interested. */
            interested: number;
            /** @description The place of the letters: 1, 2 or 3. */
            place: number;
            /** @description People who have replied, and whose last letter before was of this variant. */
            replied: number;
            /** @description Letters of this variant that were sent, without those in words of their own. */
            sent: number;
            /** @description The variant: a, b, c or d. */
            variant: string;
        };
        Verdict: {
            /** @description Whether they were added by hand; such people belong to it whatever the rules say. */
            byHand: boolean;
            /** @description Whether they match its query and rules. */
            matches: boolean;
            /** @description Why, in words. */
            reason: string;
            /** @description The version of the query and rules by which they were judged; each change increases it. */
            version: number;
        };
        Voice: {
            /** @description The id of the e-mail account. */
            connection: string;
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The id of the member. */
            member: string;
            /** @description The name of the member. */
            name: string;
            /** @description How they sign. */
            signature: string;
        };
        VoiceList: {
            /** @description Always null: this list answers everything at once. */
            next: string | null;
            /** @description All voices, in order of name. */
            voices: components["schemas"]["Voice"][];
        };
        Webhook: {
            /** @description When it was created. */
            createdAt: string;
            /** @description Whether events are sent. */
            enabled: boolean;
            /** @description Since when the address has accepted nothing; null while it accepts events. */
            failingSince: string | null;
            /** @description Nothing is sent while the workspace is held; absent while it is not. */
            held?: components["schemas"]["HoldReason"];
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The kinds of events to send; empty means all. */
            kinds: string[];
            /** @description The id of the member who created it, and who is notified if it is switched off. */
            member: string;
            /**
             * @description Why it was switched off automatically; null if it was not.
             *
             *     - `gone`: the address answered 410.
             *     - `failing`: the address accepted nothing for three days.
             */
            problem: string | null;
            /** @description Nothing is sent until then, because the address accepted nothing; null if it is not resting. */
            restsUntil: string | null;
            /** @description When it was last changed. */
            updatedAt: string;
            /** @description The address that events are sent to. */
            url: string;
        };
        WebhookList: {
            /** @description Always null: this list answers everything at once. */
            next: string | null;
            /** @description All webhooks. */
            webhooks: components["schemas"]["Webhook"][];
        };
        WebhookTest: {
            /** @description How many milliseconds it took. */
            ms: number;
            /** @description What went wrong, as the code that a delivery would have; `held` if nothing was sent because the workspace is held; null if the address answered 2xx. */
            problem: string | null;
            /** @description The HTTP status of the answer; null if there was none. */
            status: number | null;
        };
        WebhookUpdate: {
            /** @description Whether events are sent. */
            enabled?: boolean | null;
            /** @description The kinds of events to send, such as `message.received`, or `message.*` for all of a group; an empty list means all. */
            kinds?: string[] | null;
            /** @description True gives it a new secret; both secrets sign for a day. */
            rotate?: boolean | null;
            /** @description The http or https address to send events to. */
            url?: string | null;
        };
        WebhookWithSecret: {
            /** @description When it was created. */
            createdAt: string;
            /** @description Whether events are sent. */
            enabled: boolean;
            /** @description Since when the address has accepted nothing; null while it accepts events. */
            failingSince: string | null;
            /** @description Nothing is sent while the workspace is held; absent while it is not. */
            held?: components["schemas"]["HoldReason"];
            /** @description The id: opaque, and never changed. */
            id: string;
            /** @description The kinds of events to send; empty means all. */
            kinds: string[];
            /** @description The id of the member who created it, and who is notified if it is switched off. */
            member: string;
            /**
             * @description Why it was switched off automatically; null if it was not.
             *
             *     - `gone`: the address answered 410.
             *     - `failing`: the address accepted nothing for three days.
             */
            problem: string | null;
            /** @description Nothing is sent until then, because the address accepted nothing; null if it is not resting. */
            restsUntil: string | null;
            /** @description The secret with which events are signed, shown only this once; null if this call created none. */
            secret: string | null;
            /** @description When it was last changed. */
            updatedAt: string;
            /** @description The address that events are sent to. */
            url: string;
        };
        Workspace: {
            /** @description The id: opaque, and never changed. */
            id: string;
            /**
             * @description Whether what the workspace sends leaves. It never changes.
             *
             *     - `live`: letters go to the mail servers of its accounts.
             *     - `sandbox`: its mail server is played: nothing leaves, and answers come from recipients by their names.
             */
            mode: string;
            /** @description The name of the workspace. */
            name: string;
            /** @description Whether correspondence is marked automatically with importance, intent and tags. */
            tagging: boolean;
            /** @description The IANA name of the time zone by which days and weeks are counted. */
            timezone: string;
        };
        WorkspaceLabel: {
            /** @description The number of conversations that have it, or whose person has it. */
            conversations: number;
            /** @description The id: opaque, and never changed. */
            id: string;
            /**
             * @description What it is attached to.
             *
             *     - `product`: people, as the tag of a product.
             *     - `conversation`: conversations.
             */
            kind: string;
            /** @description The name. */
            name: string;
        };
        WorkspaceUpdate: {
            /** @description Whether correspondence is marked automatically. */
            tagging?: boolean | null;
            /** @description The IANA name of the time zone by which days and weeks are counted. */
            timezone?: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccountHealth = components['schemas']['AccountHealth'];
export type Agent = components['schemas']['Agent'];
export type AgentList = components['schemas']['AgentList'];
export type AgentUpdate = components['schemas']['AgentUpdate'];
export type Application = components['schemas']['Application'];
export type Archive = components['schemas']['Archive'];
export type ArchiveChange = components['schemas']['ArchiveChange'];
export type ArchiveProgress = components['schemas']['ArchiveProgress'];
export type Attachment = components['schemas']['Attachment'];
export type AttachmentList = components['schemas']['AttachmentList'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryList = components['schemas']['AuditEntryList'];
export type BilledAccount = components['schemas']['BilledAccount'];
export type Billing = components['schemas']['Billing'];
export type BillingPeriod = components['schemas']['BillingPeriod'];
export type Calendar = components['schemas']['Calendar'];
export type CalendarView = components['schemas']['CalendarView'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignDetails = components['schemas']['CampaignDetails'];
export type CampaignList = components['schemas']['CampaignList'];
export type CampaignPerson = components['schemas']['CampaignPerson'];
export type CampaignPersonList = components['schemas']['CampaignPersonList'];
export type CampaignProgress = components['schemas']['CampaignProgress'];
export type CampaignSending = components['schemas']['CampaignSending'];
export type CampaignStateChange = components['schemas']['CampaignStateChange'];
export type CampaignTerm = components['schemas']['CampaignTerm'];
export type CampaignUpdate = components['schemas']['CampaignUpdate'];
export type Candidate = components['schemas']['Candidate'];
export type ChangedCampaign = components['schemas']['ChangedCampaign'];
export type ChangedRouting = components['schemas']['ChangedRouting'];
export type Channel = components['schemas']['Channel'];
export type ChannelList = components['schemas']['ChannelList'];
export type CleanedAddress = components['schemas']['CleanedAddress'];
export type CleanedCell = components['schemas']['CleanedCell'];
export type ColumnChoice = components['schemas']['ColumnChoice'];
export type Company = components['schemas']['Company'];
export type CompanyList = components['schemas']['CompanyList'];
export type CompanyUpdate = components['schemas']['CompanyUpdate'];
export type Condition = components['schemas']['Condition'];
export type ConnectLink = components['schemas']['ConnectLink'];
export type Conversation = components['schemas']['Conversation'];
export type ConversationBulkResult = components['schemas']['ConversationBulkResult'];
export type ConversationBulkResults = components['schemas']['ConversationBulkResults'];
export type ConversationBulkUpdate = components['schemas']['ConversationBulkUpdate'];
export type ConversationChange = components['schemas']['ConversationChange'];
export type ConversationCounts = components['schemas']['ConversationCounts'];
export type ConversationDetails = components['schemas']['ConversationDetails'];
export type ConversationList = components['schemas']['ConversationList'];
export type ConversationUpdate = components['schemas']['ConversationUpdate'];
export type CountConversationsQuery = components['schemas']['CountConversationsQuery'];
export type CreatedPerson = components['schemas']['CreatedPerson'];
export type Dashboard = components['schemas']['Dashboard'];
export type DashboardDay = components['schemas']['DashboardDay'];
export type DashboardTotals = components['schemas']['DashboardTotals'];
export type Deal = components['schemas']['Deal'];
export type DealList = components['schemas']['DealList'];
export type DealUpdate = components['schemas']['DealUpdate'];
export type Deleted = components['schemas']['Deleted'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryList = components['schemas']['DeliveryList'];
export type DuplicateRow = components['schemas']['DuplicateRow'];
export type ErasedPerson = components['schemas']['ErasedPerson'];
export type Event = components['schemas']['Event'];
export type EventData = components['schemas']['EventData'];
export type EventList = components['schemas']['EventList'];
export type ExtendedSegment = components['schemas']['ExtendedSegment'];
export type Fact = components['schemas']['Fact'];
export type FailedLetters = components['schemas']['FailedLetters'];
export type FinderAdded = components['schemas']['FinderAdded'];
export type FinderAddition = components['schemas']['FinderAddition'];
export type FinderQuery = components['schemas']['FinderQuery'];
export type FinderResult = components['schemas']['FinderResult'];
export type Funnel = components['schemas']['Funnel'];
export type GetCalendarQuery = components['schemas']['GetCalendarQuery'];
export type GetDashboardQuery = components['schemas']['GetDashboardQuery'];
export type GetMessageHtmlQuery = components['schemas']['GetMessageHtmlQuery'];
export type GetOperationQuery = components['schemas']['GetOperationQuery'];
export type HealthSignal = components['schemas']['HealthSignal'];
export type Hold = components['schemas']['Hold'];
export type HoldReason = components['schemas']['HoldReason'];
export type Hours = components['schemas']['Hours'];
export type HoursUpdate = components['schemas']['HoursUpdate'];
export type House = components['schemas']['House'];
export type Identity = components['schemas']['Identity'];
export type ImportAnswer = components['schemas']['ImportAnswer'];
export type ImportColumn = components['schemas']['ImportColumn'];
export type ImportCounts = components['schemas']['ImportCounts'];
export type ImportedRow = components['schemas']['ImportedRow'];
export type ImportedRowList = components['schemas']['ImportedRowList'];
export type ImportPlan = components['schemas']['ImportPlan'];
export type ImportResult = components['schemas']['ImportResult'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationAnswer = components['schemas']['InvitationAnswer'];
export type ItemProblem = components['schemas']['ItemProblem'];
export type JudgedSegment = components['schemas']['JudgedSegment'];
export type Label = components['schemas']['Label'];
export type LabelChange = components['schemas']['LabelChange'];
export type LabelCount = components['schemas']['LabelCount'];
export type LabelledConversation = components['schemas']['LabelledConversation'];
export type LabelList = components['schemas']['LabelList'];
export type Letter = components['schemas']['Letter'];
export type LetterPreparation = components['schemas']['LetterPreparation'];
export type LetterPreview = components['schemas']['LetterPreview'];
export type LetterPreviewRequest = components['schemas']['LetterPreviewRequest'];
export type LetterTest = components['schemas']['LetterTest'];
export type LetterTestRequest = components['schemas']['LetterTestRequest'];
export type ListAgentsQuery = components['schemas']['ListAgentsQuery'];
export type ListAttachmentsQuery = components['schemas']['ListAttachmentsQuery'];
export type ListAuditEntriesQuery = components['schemas']['ListAuditEntriesQuery'];
export type ListCampaignPeopleQuery = components['schemas']['ListCampaignPeopleQuery'];
export type ListCampaignsQuery = components['schemas']['ListCampaignsQuery'];
export type ListChannelsQuery = components['schemas']['ListChannelsQuery'];
export type ListCompaniesQuery = components['schemas']['ListCompaniesQuery'];
export type ListConversationsQuery = components['schemas']['ListConversationsQuery'];
export type ListDealsQuery = components['schemas']['ListDealsQuery'];
export type ListDeliveriesQuery = components['schemas']['ListDeliveriesQuery'];
export type ListEventsQuery = components['schemas']['ListEventsQuery'];
export type ListImportedRowsQuery = components['schemas']['ListImportedRowsQuery'];
export type ListLabelsQuery = components['schemas']['ListLabelsQuery'];
export type ListMembersQuery = components['schemas']['ListMembersQuery'];
export type ListMessagesQuery = components['schemas']['ListMessagesQuery'];
export type ListMessengerFoldersQuery = components['schemas']['ListMessengerFoldersQuery'];
export type ListNotificationsQuery = components['schemas']['ListNotificationsQuery'];
export type ListOperationsQuery = components['schemas']['ListOperationsQuery'];
export type ListPeopleQuery = components['schemas']['ListPeopleQuery'];
export type ListProductsQuery = components['schemas']['ListProductsQuery'];
export type ListSegmentPeopleQuery = components['schemas']['ListSegmentPeopleQuery'];
export type ListSegmentProposalsQuery = components['schemas']['ListSegmentProposalsQuery'];
export type ListSegmentsQuery = components['schemas']['ListSegmentsQuery'];
export type ListSuppressionsQuery = components['schemas']['ListSuppressionsQuery'];
export type ListTouchesQuery = components['schemas']['ListTouchesQuery'];
export type ListVoicesQuery = components['schemas']['ListVoicesQuery'];
export type ListWebhooksQuery = components['schemas']['ListWebhooksQuery'];
export type Material = components['schemas']['Material'];
export type Meeting = components['schemas']['Meeting'];
export type MeetingCheck = components['schemas']['MeetingCheck'];
export type MeetingMove = components['schemas']['MeetingMove'];
export type MeetingOrCheck = components['schemas']['MeetingOrCheck'];
export type MeetingProposal = components['schemas']['MeetingProposal'];
export type MeetingReply = components['schemas']['MeetingReply'];
export type Member = components['schemas']['Member'];
export type MemberList = components['schemas']['MemberList'];
export type MemberUpdate = components['schemas']['MemberUpdate'];
export type Message = components['schemas']['Message'];
export type MessageList = components['schemas']['MessageList'];
export type MessageReport = components['schemas']['MessageReport'];
export type MessageSender = components['schemas']['MessageSender'];
export type MessengerFolder = components['schemas']['MessengerFolder'];
export type MessengerFolderList = components['schemas']['MessengerFolderList'];
export type MissingPart = components['schemas']['MissingPart'];
export type MovedCampaign = components['schemas']['MovedCampaign'];
export type NewCampaign = components['schemas']['NewCampaign'];
export type NewCondition = components['schemas']['NewCondition'];
export type NewConversation = components['schemas']['NewConversation'];
export type NewDeal = components['schemas']['NewDeal'];
export type NewFact = components['schemas']['NewFact'];
export type NewFile = components['schemas']['NewFile'];
export type NewHold = components['schemas']['NewHold'];
export type NewLabel = components['schemas']['NewLabel'];
export type NewMaterial = components['schemas']['NewMaterial'];
export type NewMeeting = components['schemas']['NewMeeting'];
export type NewMessage = components['schemas']['NewMessage'];
export type NewNote = components['schemas']['NewNote'];
export type NewPerson = components['schemas']['NewPerson'];
export type NewSegment = components['schemas']['NewSegment'];
export type NewSegmentRule = components['schemas']['NewSegmentRule'];
export type NewSuppression = components['schemas']['NewSuppression'];
export type NewTag = components['schemas']['NewTag'];
export type NewTask = components['schemas']['NewTask'];
export type NewTemplate = components['schemas']['NewTemplate'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type Note = components['schemas']['Note'];
export type Notification = components['schemas']['Notification'];
export type NotificationList = components['schemas']['NotificationList'];
export type NotificationSelection = components['schemas']['NotificationSelection'];
export type NotificationsRead = components['schemas']['NotificationsRead'];
export type OpenedConversation = components['schemas']['OpenedConversation'];
export type Operation = components['schemas']['Operation'];
export type OperationList = components['schemas']['OperationList'];
export type OperationProgress = components['schemas']['OperationProgress'];
export type OperationWorkflow = components['schemas']['OperationWorkflow'];
export type OwnerCount = components['schemas']['OwnerCount'];
export type PeopleBulk = components['schemas']['PeopleBulk'];
export type PeopleBulkResult = components['schemas']['PeopleBulkResult'];
export type PeopleBulkResults = components['schemas']['PeopleBulkResults'];
export type PeopleFile = components['schemas']['PeopleFile'];
export type PeopleImport = components['schemas']['PeopleImport'];
export type Person = components['schemas']['Person'];
export type PersonExport = components['schemas']['PersonExport'];
export type PersonList = components['schemas']['PersonList'];
export type PersonMerge = components['schemas']['PersonMerge'];
export type PersonSplit = components['schemas']['PersonSplit'];
export type PersonTag = components['schemas']['PersonTag'];
export type PersonUpdate = components['schemas']['PersonUpdate'];
export type PreparedLetters = components['schemas']['PreparedLetters'];
export type Problem = components['schemas']['Problem'];
export type ProblemItem = components['schemas']['ProblemItem'];
export type Product = components['schemas']['Product'];
export type ProductList = components['schemas']['ProductList'];
export type ProductUpdate = components['schemas']['ProductUpdate'];
export type Proposal = components['schemas']['Proposal'];
export type ProposalAnswer = components['schemas']['ProposalAnswer'];
export type ProposalList = components['schemas']['ProposalList'];
export type ProposalSize = components['schemas']['ProposalSize'];
export type QueuedMessage = components['schemas']['QueuedMessage'];
export type RefusedRecipient = components['schemas']['RefusedRecipient'];
export type RemovedTag = components['schemas']['RemovedTag'];
export type ReplyAddress = components['schemas']['ReplyAddress'];
export type Resolution = components['schemas']['Resolution'];
export type Routing = components['schemas']['Routing'];
export type RoutingRule = components['schemas']['RoutingRule'];
export type RoutingRun = components['schemas']['RoutingRun'];
export type RoutingRunResult = components['schemas']['RoutingRunResult'];
export type RoutingUpdate = components['schemas']['RoutingUpdate'];
export type RowProblem = components['schemas']['RowProblem'];
export type SampleRow = components['schemas']['SampleRow'];
export type SearchQuery = components['schemas']['SearchQuery'];
export type SearchResult = components['schemas']['SearchResult'];
export type SearchResultList = components['schemas']['SearchResultList'];
export type Segment = components['schemas']['Segment'];
export type SegmentAddition = components['schemas']['SegmentAddition'];
export type SegmentCampaign = components['schemas']['SegmentCampaign'];
export type SegmentDetails = components['schemas']['SegmentDetails'];
export type SegmentList = components['schemas']['SegmentList'];
export type SegmentMember = components['schemas']['SegmentMember'];
export type SegmentMemberList = components['schemas']['SegmentMemberList'];
export type SegmentRule = components['schemas']['SegmentRule'];
export type SegmentUpdate = components['schemas']['SegmentUpdate'];
export type SenderCheck = components['schemas']['SenderCheck'];
export type SendersHealth = components['schemas']['SendersHealth'];
export type SendingAccount = components['schemas']['SendingAccount'];
export type SendingBudget = components['schemas']['SendingBudget'];
export type Subscription = components['schemas']['Subscription'];
export type SuppressedAddress = components['schemas']['SuppressedAddress'];
export type SuppressedRow = components['schemas']['SuppressedRow'];
export type Suppression = components['schemas']['Suppression'];
export type SuppressionCounts = components['schemas']['SuppressionCounts'];
export type SuppressionList = components['schemas']['SuppressionList'];
export type Task = components['schemas']['Task'];
export type Template = components['schemas']['Template'];
export type Touch = components['schemas']['Touch'];
export type TouchList = components['schemas']['TouchList'];
export type TouchUpdate = components['schemas']['TouchUpdate'];
export type TouchWorkflow = components['schemas']['TouchWorkflow'];
export type UntagPersonQuery = components['schemas']['UntagPersonQuery'];
export type UploadedFile = components['schemas']['UploadedFile'];
export type VariantNumbers = components['schemas']['VariantNumbers'];
export type Verdict = components['schemas']['Verdict'];
export type Voice = components['schemas']['Voice'];
export type VoiceList = components['schemas']['VoiceList'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookList = components['schemas']['WebhookList'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type WebhookUpdate = components['schemas']['WebhookUpdate'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type Workspace = components['schemas']['Workspace'];
export type WorkspaceLabel = components['schemas']['WorkspaceLabel'];
export type WorkspaceUpdate = components['schemas']['WorkspaceUpdate'];

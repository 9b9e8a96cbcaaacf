import { lines } from "./lines.ts";
import { testRows } from "./rewrite-rows.ts";

testRows("yaml", [
  {
    what: "the only use of an anchor changes alone",
    before: lines`
      records:
        one: &web # the web
          A: &addresses [192.0.2.1, 192.0.2.2]
          AAAA: 2001:db8::1
        two: *web # as one
        three:
          A: *addresses
        four:
          <<: *web # but
          AAAA: 2001:db8::4
    `,
    change: lines`
      - two A 192.0.2.2
      - three A 192.0.2.1
      + three A 192.0.2.9
      - four A 192.0.2.1
      - four A 192.0.2.2
      + four A 192.0.2.4
    `,
    after: lines`
      records:
        one: &web # the web
          A: &addresses [192.0.2.1, 192.0.2.2]
          AAAA: 2001:db8::1
        two: # as one
          A: [192.0.2.1]
          AAAA: 2001:db8::1
        three:
          A: [192.0.2.9, 192.0.2.2]
        four:
          <<: *web # but
          AAAA: 2001:db8::4
          A: 192.0.2.4
    `,
  },
  {
    what: "the definition of an anchor changes, and its uses stay",
    before: lines`
      records:
        one: &web
          A: &address 192.0.2.1 # here
        two: *web
        three: { A: *address }
    `,
    change: lines`
      - one A 192.0.2.1
      + one A 192.0.2.9
    `,
    after: lines`
      records:
        one: &web
          A: &address 192.0.2.9 # here
        two:
          A: 192.0.2.1
        three: { A: 192.0.2.1 }
    `,
  },
  {
    what: "a change of every use changes the anchor",
    before: lines`
      records:
        one: &web
          A: 192.0.2.1 # here
        two: *web
        three: { <<: *web }
    `,
    change: lines`
      - one A 192.0.2.1
      - two A 192.0.2.1
      - three A 192.0.2.1
      + one A 192.0.2.9
      + two A 192.0.2.9
      + three A 192.0.2.9
    `,
    after: lines`
      records:
        one: &web
          A: 192.0.2.9 # here
        two: *web
        three: { <<: *web }
    `,
  },
  {
    what: "the definition of an anchor is deleted, and its uses stay",
    before: lines`
      records:
        one: &web
          A: 192.0.2.1
          MX: &mail 10 mail
        two: *web
        three: { <<: *web, TXT: here }
        four:
          MX: *mail
    `,
    change: lines`
      - one A 192.0.2.1
      - one MX 10 mail
    `,
    after: lines`
      records:
        two:
          A: 192.0.2.1
          MX: 10 mail
        three: { A: 192.0.2.1, MX: 10 mail, TXT: here }
        four:
          MX: 10 mail
    `,
  },
  {
    what: "values from a merge key are deleted",
    before: lines`
      records:
        one: &web { A: 192.0.2.1, MX: 10 mail }
        two:
          <<: *web
          TXT: here
    `,
    change: "- two MX 10 mail",
    after: lines`
      records:
        one: &web { A: 192.0.2.1, MX: 10 mail }
        two:
          A: 192.0.2.1
          TXT: here
    `,
  },
]);
